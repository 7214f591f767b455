"""Runs a watchman of its own on a folder, and prints what it is told; its first answer says that the folder is known.

After the folder come the fields that are wanted besides the name. With any, what is gone is told too."""

import ctypes
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time


def end_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def end(*_):
    server.kill()
    shutil.rmtree(state, ignore_errors=True)
    os._exit(0)


def connect():
    while True:
        try:
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(places["sockname"])
            return connection.makefile("rwb")
        except OSError:
            if server.poll() is not None:
                sys.exit("watchman ended before it listened")
            time.sleep(0.001)


folder = sys.argv[1]
state = tempfile.mkdtemp()
places = {name: os.path.join(state, name) for name in ("sockname", "statefile", "logfile", "pidfile")}
server = subprocess.Popen(
    ["watchman", "--foreground"] + [f"--{name}={path}" for name, path in places.items()], preexec_fn=end_with_parent)
signal.signal(signal.SIGTERM, end)
connection = connect()
fields = sys.argv[2:]
everything = {"fields": ["name", *fields]} if fields else {"fields": ["name"], "expression": ["exists"]}
nothing = {"fields": ["name"], "expression": ["name", "none has this name"]}
# Each is answered when it is done, and what is sent before the answer is lost; a query waits until all is known.
for command in (["watch", folder], ["subscribe", folder, "contest", everything], ["query", folder, nothing]):
    connection.write(json.dumps(command).encode() + b"\n")
    connection.flush()
    while b'"unilateral":true' in connection.readline():
        pass
print("ready: watchman", flush=True)
for line in connection:
    if b'"is_fresh_instance":true' not in line:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
