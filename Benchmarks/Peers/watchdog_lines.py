"""Watches a folder with watchdog, and prints a line for each thing it is told: of what is new or moved, or of all."""

import sys
import time

from watchdog.events import FileSystemEventHandler
from watchdog.observers import Observer


class Printer(FileSystemEventHandler):
    def on_created(self, event):
        print("created", event.src_path, flush=True)

    def on_moved(self, event):
        print("moved", event.src_path, event.dest_path, flush=True)


class PrinterOfAll(FileSystemEventHandler):
    def on_any_event(self, event):
        print((event.event_type, event.src_path, event.dest_path), flush=True)


observer = Observer()
observer.schedule(PrinterOfAll() if sys.argv[2:] == ["all"] else Printer(), sys.argv[1], recursive=True)
observer.start()
print("ready: watchdog", flush=True)
while True:
    time.sleep(3600)
