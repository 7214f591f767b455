"""Watches a folder with GFileMonitor, and prints a line of JSON for each thing it is told.

It watches single folders. As an app would, this program adds a monitor for each folder that it hears of, and for those below; it says
nothing of its own about what it finds there.
"""

import json
import os
import sys

import gi

gi.require_version("Gio", "2.0")
from gi.repository import Gio, GLib  # noqa: E402

monitors = {}


def watch(folder):
    for path, folders, _ in os.walk(folder):
        if path in monitors:
            continue
        monitor = Gio.File.new_for_path(path).monitor_directory(Gio.FileMonitorFlags.WATCH_MOVES, None)
        monitor.connect("changed", tell)
        monitors[path] = monitor


def forget(folder):
    for path in [path for path in monitors if (path + "/").startswith(folder + "/")]:
        monitors.pop(path).cancel()


def tell(_, file, other, event):
    path, second = file.get_path(), other.get_path() if other else None
    print(json.dumps([event.value_nick, path, second]), flush=True)
    if event in (Gio.FileMonitorEvent.RENAMED, Gio.FileMonitorEvent.MOVED_OUT, Gio.FileMonitorEvent.DELETED):
        forget(path)
    for new in (path, second):
        if new and os.path.isdir(new) and not os.path.islink(new) and (new + "/").startswith(sys.argv[1] + "/"):
            watch(new)


print(f"{GLib.MAJOR_VERSION}.{GLib.MINOR_VERSION}.{GLib.MICRO_VERSION}", flush=True)
if len(sys.argv) > 1:
    watch(sys.argv[1])
    print("ready: GFileMonitor", flush=True)
    GLib.MainLoop().run()
