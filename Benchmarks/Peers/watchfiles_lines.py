"""Watches a folder with watchfiles, and prints a line for each thing it is told."""

import os
import sys
import threading
import time

from watchfiles import watch


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
for changes in watch(folder, watch_filter=None, step=10, debounce=100):
    if not is_seen.is_set():
        is_seen.set()
        print("ready: watchfiles", flush=True)
    print("\n".join(f"{change.name} {path}" for change, path in changes), flush=True)
