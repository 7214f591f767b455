"""Runs fswatch on a folder, and passes on what it prints, after a line that says that it is ready."""

import ctypes
import os
import signal
import subprocess
import sys
import threading
import time


def end_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def probe(folder, is_seen):
    """It says nothing when it is ready: a file is touched until that is told."""
    path = os.path.join(folder, ".probe")
    while not is_seen.is_set():
        with open(path, "a") as file:
            file.write(".")
        time.sleep(0.01)
    os.unlink(path)


folder = sys.argv[1]
is_seen = threading.Event()
threading.Thread(target=probe, args=(folder, is_seen), daemon=True).start()
command = ["fswatch", "--recursive", "--latency=0.1", "--event-flags", folder]
process = subprocess.Popen(command, stdout=subprocess.PIPE, preexec_fn=end_with_parent)
for line in process.stdout:
    if not is_seen.is_set():
        is_seen.set()
        print("ready: fswatch", flush=True)
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
