"""Runs fswatch on a folder, and passes on what it prints, after a line that says that it is ready."""

import ctypes
import signal
import subprocess
import sys

import readiness


def end_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


folder = sys.argv[1]
is_seen = readiness.probe(folder)
command = ["fswatch", "--recursive", "--latency=0.1", "--event-flags", folder]
process = subprocess.Popen(command, stdout=subprocess.PIPE, preexec_fn=end_with_parent)
for line in process.stdout:
    if not is_seen.is_set():
        is_seen.set()
        print("ready: fswatch", flush=True)
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
