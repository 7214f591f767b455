"""watchman as a peer: left running, restarted and killed."""

import collections
import json
import socket
import subprocess
import time

from offline_peer import Peer, end_with_parent, output


class Watchman(Peer):
    """A watchman server of its own; the program that asks it keeps a clock."""

    title = "watchman, left running"
    how = "`watch`, `clock`, and later `query` with `since`; the server runs on while the program that asks is away"
    get = "Debian: apt-get install watchman"
    program = "watchman"
    fields = ["name", "exists", "new", "ino", "type"]

    @classmethod
    def version(cls):
        return output("watchman", "--version").strip()

    def __init__(self, state):
        super().__init__(state)
        self.places = {name: state / name for name in ("sockname", "statefile", "logfile", "pidfile")}
        self.clocks, self.directories = {}, {}
        self.start()

    def start(self):
        places = [f"--{name}={path}" for name, path in self.places.items()]
        self.server = subprocess.Popen(
            ["watchman", "--foreground", *places], preexec_fn=end_with_parent, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.connection = self.connect()

    def connect(self):
        while self.server.poll() is None:
            try:
                connection = socket.socket(socket.AF_UNIX)
                connection.connect(str(self.places["sockname"]))
                return connection.makefile("rwb")
            except OSError:
                time.sleep(0.01)
        raise SystemExit("watchman ended before it listened")

    def ask(self, *command):
        self.connection.write(json.dumps(command).encode() + b"\n")
        self.connection.flush()
        answer = json.loads(self.connection.readline())
        if "error" in answer:
            raise SystemExit(f"watchman: {answer['error']}")
        return answer

    def remember_one(self, folder):
        self.ask("watch", str(folder))
        self.directories[folder] = {str(item.relative_to(folder)) for item in folder.rglob("*") if item.is_dir()}
        self.clocks[folder] = self.ask("clock", str(folder), {"sync_timeout": 60000})["clock"]

    def tell_one(self, folder):
        query = {"since": self.clocks[folder], "fields": self.fields}
        self.ask("watch", str(folder))  # as every program that asks does: nothing, where it is watched
        answer = self.ask("query", str(folder), query)
        inodes = collections.defaultdict(lambda: len(inodes) + 1)
        files = sorted(answer["files"], key=lambda file: file["name"])
        lines = [line for file in files if (line := self.words(file, inodes, self.directories[folder]))]
        return [self.fresh_instance(folder, answer["files"])] if answer["is_fresh_instance"] else lines

    def fresh_instance(self, folder, files):
        """What is said if the clock is not known any more: as a rule all that exists."""
        existing = {str(item.relative_to(folder)) for item in folder.rglob("*")}
        others = {file["name"] for file in files} ^ existing
        return "is_fresh_instance:true, and all that exists" + (f", but for {sorted(others)}" if others else "")

    def words(self, file, inodes, directories):
        what = [f"{name}:{json.dumps(file[name])}" for name, usual in (("exists", True), ("new", False)) if file[name] != usual]
        if file["type"] == "d" and not what and file["name"] in directories:
            return None
        return " ".join([file["name"] + "/" * (file["type"] == "d"), *(what or ["exists:true"]), f"ino:{inodes[file['ino']]}"])

    def close(self):
        self.ask("shutdown-server")
        self.server.wait()


class RestartedWatchman(Watchman):
    """The server ends as it should, and is started again with its state."""

    title = "watchman, restarted"
    how = "the same, but `shutdown-server` before, and the server started again with its state file after"

    def remember(self, folders):
        super().remember(folders)
        self.close()

    def tell(self, folders):
        self.start()
        return super().tell(folders)


class KilledWatchman(RestartedWatchman):
    """The server is killed, and is started again with its state."""

    title = "watchman, killed"
    how = "the same, but the server killed before, and started again with its state file after"

    def remember(self, folders):
        Watchman.remember(self, folders)
        self.server.kill()
        self.server.wait()
