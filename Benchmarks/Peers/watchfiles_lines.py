"""Watches a folder with watchfiles, and prints a line for each thing it is told."""

import sys

import readiness
from watchfiles import watch

folder = sys.argv[1]
is_seen = readiness.probe(folder)
for changes in watch(folder, watch_filter=None, step=10, debounce=100):
    if not is_seen.is_set():
        is_seen.set()
        print("ready: watchfiles", flush=True)
    # A set has no order: what is gone, and then what is there.
    in_order = sorted(changes, key=lambda change: (change[0].name != "deleted", change[1]))
    print("\n".join(f"{change.name} {path}" for change, path in in_order), flush=True)
