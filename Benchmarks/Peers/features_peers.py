"""Programs that watch a folder, and what their lines mean. Each prints a line when it is ready, and then what happens."""

import ast
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time

from features_replay import Event, Replay, Tree
from offline_fsobserve import FSObserve as OfflineFSObserve
from offline_others import Parcel as OfflineParcel
from offline_peer import HERE, Installed, end_with_parent, output
from offline_watchman import Watchman as OfflineWatchman

INSTALLED = HERE.parent / ".build/peers/bin/python3"  # by `Scripts/bench --install-peers`
PYTHON = os.environ.get("PEERS_PYTHON") or (INSTALLED if INSTALLED.exists() else sys.executable)


class Watcher(Installed):
    """A program that is watching."""

    get = ""

    def __init__(self, folder):
        self.folder = str(folder)
        self.lines = []  # with times
        self.parsed, self.done = [], 0
        self.process = subprocess.Popen(
            self.command(self.folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=end_with_parent)
        self.ready = threading.Event()
        for stream in (self.process.stdout, self.process.stderr):
            threading.Thread(target=self.read, args=(stream,), daemon=True).start()

    def read(self, stream):
        for line in stream:
            if self.is_ready(line):
                self.ready.set()
            self.lines.append((time.time(), line.rstrip("\n")))

    def is_ready(self, line):
        return line.startswith("ready: ")

    def wait_until_ready(self):
        if not self.ready.wait(60):
            raise SystemExit(f"{self.title} is not ready: {self.lines}")
        self.rest(1)
        self.lines.clear()

    def rest(self, seconds, at_most=120):
        """Waits until there were no lines for so long."""
        end = time.time() + at_most
        began = time.time()
        while time.time() < end and time.time() - max(began, self.lines[-1][0] if self.lines else 0) < seconds:
            time.sleep(0.05)

    def events(self):
        """What was told, with paths below the folder."""
        self.parsed += [event for moment, line in self.take_lines() for event in self.dated(self.parse(line), moment, line)]
        return self.parsed

    def take_lines(self):
        """Those that were not parsed yet."""
        new, self.done = self.lines[self.done:], len(self.lines)
        return new

    def dated(self, events, moment, line):
        for event in events:
            event.time, event.words = moment, event.words or line
            yield event

    def replay(self, names, events):
        replay = Replay(names)
        for event in events:
            replay.apply(event)
        return replay.tree.documents(), replay.copies

    def relative(self, path):
        return os.path.relpath(path, self.folder)

    def pids(self):
        return [self.process.pid]

    def close(self):
        self.process.terminate()
        self.process.wait()


class FSObserve(Watcher):
    title = "fsobserve"
    how = "`fsobserve watch DIR --hidden --format jsonl`"
    get, program, version = OfflineFSObserve.get, OfflineFSObserve.program, OfflineFSObserve.version
    kinds = {"discovered": "create", "duplicated": "copy", "linked": "link", "renamed": "rename", "moved": "rename", "deleted": "delete",
             "unlinked": "delete", "modified": "modify", "copyFinished": "complete", "diagnostic": "overflow"}

    def command(self, folder):
        return [self.program, "watch", folder, "--hidden", "--relative", "--format", "jsonl"]

    def is_ready(self, line):
        return '"didCompleteFullScan"' in line

    def wait_until_ready(self):
        self.ready.wait(60)
        self.rest(1)
        self.first = [json.loads(line) for _, line in self.lines if line.startswith("{")]
        self.lines.clear()

    def parse(self, line):
        change = json.loads(line) if line.startswith("{") else {"kind": "diagnostic", "message": line}
        if "FullScan" in change["kind"]:
            return
        path, old = change.get("path", ""), change.get("previousPath")
        event = Event(self.kinds[change["kind"]], path)
        event.words = f"{change['kind']} {old} → {path}" if old else f"{change['kind']} {path or change.get('message')}"
        if old:
            event.path, event.second = old, path
        if "originalPath" in change:
            event.second = change["originalPath"]
            event.words += f" of {event.second}"
        if "reason" in change:
            event.words += f" ({change['reason']})"
        event.change = change
        yield event

    def replay(self, names, events):
        """The README's replay, which follows UUIDs."""
        by_uuid = {change["uuid"]: change["path"] for change in self.first if "uuid" in change and change["path"] in names}
        tree, copies = Tree({path: uuid for uuid, path in by_uuid.items()}), {}
        changes = [event.change for event in events if "uuid" in event.change]
        for _, step in itertools.groupby(changes, lambda change: change["seq"]):
            self.replay_step(list(step), tree, copies)
        return {path: by_uuid.get(uuid) for path, uuid in tree.documents().items()}, copies

    @staticmethod
    def replay_step(step, tree, copies):
        start = lambda change: change.get("previousPath", change["path"])
        coming = {}
        for change in sorted(step, key=lambda change: start(change).count("/"), reverse=True):
            kind, old, new = change["kind"], start(change), change["path"]
            if kind in ("deleted", "unlinked"):
                tree.take(old)
            elif kind in ("renamed", "moved"):
                coming[new] = tree.take(old)
            elif kind in ("discovered", "duplicated", "linked"):
                coming[new] = [change["uuid"], {}]
                if "originalPath" in change:
                    copies[new] = change["originalPath"]
        for new in sorted(coming, key=lambda path: path.count("/")):
            tree.put(coming[new], new)


class FSObserveWithInotify(FSObserve):
    title = "fsobserve, inotify"
    how = "the same, with `--source inotify`"

    def command(self, folder):
        return super().command(folder) + ["--source", "inotify"]


class FSObserveByPolling(FSObserve):
    title = "fsobserve, polling"
    how = "the same, with `--source polling`"

    def command(self, folder):
        return super().command(folder) + ["--source", "polling"]


class Watchman(Watcher):
    title = "watchman"
    how = "`subscribe` with the fields name, exists, new, ino and type; its reader knows documents by inode, and by name where a name stays"
    get, program, version = OfflineWatchman.get, OfflineWatchman.program, OfflineWatchman.version

    def command(self, folder):
        return [sys.executable, HERE / "watchman_lines.py", folder, "exists", "new", "ino", "type"]

    def pids(self):
        return [int(output("pgrep", "--parent", str(self.process.pid), "watchman").split()[0])]

    def parse(self, line):
        if not line.startswith("{"):
            return
        answer = json.loads(line)
        files = answer.get("files", [])
        if answer.get("is_fresh_instance"):
            yield Event("overflow", words="is_fresh_instance:true")
        for file in sorted(files, key=lambda file: (file["exists"], file["name"])):
            what = [f"{key}:{json.dumps(file[key])}" for key, usual in (("exists", True), ("new", False)) if file[key] != usual]
            kind = "delete" if not file["exists"] else "create" if file["new"] else "modify"
            yield Event(kind, file["name"], file["ino"], words=f"{file['name']} {' '.join(what) or 'exists:true'}")

    def wait_until_ready(self):
        super().wait_until_ready()
        paths = [os.path.join(folder, name) for folder, folders, files in os.walk(self.folder) for name in folders + files]
        self.inodes = {os.lstat(path).st_ino: self.relative(path) for path in paths}

    def replay(self, names, events):
        """What is new with a known inode is that document; a name that stays is the document that it was."""
        tree = Tree({name: name for name in names})
        inodes = {inode: name for inode, name in self.inodes.items() if name in names}
        for event in events:
            if event.kind == "delete":
                tree.take(event.path)
            elif event.kind == "create" and event.path not in tree:
                tree.add(event.path, inodes.get(event.second))
            elif event.kind != "overflow":
                tree.add(event.path)
                document = tree.document(event.path)
                inodes = {inode: known for inode, known in inodes.items() if known != document} | {event.second: document}
        return tree.documents(), {}


class Notify(Watcher):
    title = "notify"
    how = "a program of 40 lines (`notify_lines`), which prints what its `RecommendedWatcher` tells"
    get = "Debian: apt-get install cargo librust-notify-dev"
    program = HERE.parent / ".build/notify_lines/release/notify_lines"
    registry = "/usr/share/cargo/registry"

    @classmethod
    def is_there(cls):
        if not cls.program.exists() and shutil.which("cargo") and cls.crate():
            subprocess.run(
                ["cargo", "build", "--release", "--offline", "--quiet", "--manifest-path", HERE / "notify_lines/Cargo.toml",
                 "--target-dir", cls.program.parents[1], "--config", "source.crates-io.replace-with='debian'",
                 "--config", f"source.debian.directory='{cls.registry}'"], check=True)
        return cls.program.exists()

    @classmethod
    def crate(cls):
        crates = os.listdir(cls.registry) if os.path.isdir(cls.registry) else []
        return next((name for name in crates if re.fullmatch(r"notify-[0-9.]+", name)), None)

    @classmethod
    def version(cls):
        return (cls.crate() or "notify-?").split("-")[1]

    def command(self, folder):
        return [self.program, folder]

    def parse(self, line):
        kind, tracker, *paths = line.split("\t")
        paths = [self.relative(path) for path in paths]
        words = " ".join([kind, " → ".join(paths)])
        if kind == "Rescan":
            yield Event("overflow", words=words)
        elif kind.startswith("Modify(Name(Both"):
            yield Event("told", paths[1], paths[0], words=words)  # its two halves came before, with the same tracker
        elif kind.startswith("Modify(Name(From"):
            yield Event("from_half", paths[0], tracker, words=words)
        elif kind.startswith("Modify(Name(To"):
            yield Event("to_half", paths[0], tracker, words=words)
        elif paths:
            starts = {"Create": "create", "Remove": "delete", "Access(Close(Write": "complete", "Modify": "modify"}
            yield Event(next((meaning for start, meaning in starts.items() if kind.startswith(start)), "told"), paths[0], words=words)


class Parcel(Watcher):
    title = "parcel-watcher"
    how = "`subscribe(DIR, …)`, with `backend: 'inotify'`"
    get, module, is_there, version, run = (
        OfflineParcel.get, OfflineParcel.module, OfflineParcel.is_there, OfflineParcel.version, OfflineParcel.run)

    def command(self, folder):
        return ["node", HERE / "parcel_watcher_lines.js", self.module, folder]

    def parse(self, line):
        if not line.startswith("["):
            return
        kind, path = json.loads(line)
        path = self.relative(path) if kind != "error" else path
        yield Event({"update": "modify", "error": "overflow"}.get(kind, kind), path, words=f"{kind} {path}")


class GIO(Watcher):
    title = "GFileMonitor"
    how = "a monitor for each folder, with `WATCH_MOVES`, and one more for each folder that it tells of (`gio_lines.py`)"
    get = "Debian: apt-get install python3-gi gir1.2-glib-2.0"
    python = "/usr/bin/python3"

    @classmethod
    def is_there(cls):
        return subprocess.run([cls.python, "-c", "import gi"], stderr=subprocess.DEVNULL).returncode == 0

    @classmethod
    def version(cls):
        return output(cls.python, HERE / "gio_lines.py").strip()

    def command(self, folder):
        return [self.python, HERE / "gio_lines.py", folder]

    def parse(self, line):
        if not line.startswith("["):
            return
        kind, path, second = json.loads(line)
        path, second = self.relative(path), self.relative(second) if second else None
        kinds = {"created": "create", "deleted": "delete", "renamed": "rename", "moved-in": "create", "moved-out": "delete",
                 "changed": "modify", "changes-done-hint": "complete"}
        event = Event(kinds.get(kind, "told"), path, second, words=f"{kind} {path}" + (f" → {second}" if second else ""))
        # Of a move from one monitored folder to another come both ends, each with the other.
        if kind == "moved-out" and second and not second.startswith(".."):
            event.kind = "rename"
        elif kind == "moved-in" and second and not second.startswith(".."):
            event.kind, event.path, event.second = "rename", second, path
        yield event

    def replay(self, names, events):
        moves, told = set(), []
        for event in events:  # each move between two folders once
            ends = (event.path, event.second)
            if event.words.startswith("moved") and event.kind == "rename":
                if ends in moves:
                    moves.discard(ends)
                    continue
                moves.add(ends)
            told.append(event)
        return super().replay(names, told)


class Inotifywait(Watcher):
    title = "inotifywait"
    how = "`inotifywait -m -r --format '%c %e %w%f'` for create, delete, move, close_write, modify and attrib; cookies pair the halves of a rename"
    get = "Debian: apt-get install inotify-tools"
    program = "inotifywait"

    @classmethod
    def version(cls):
        return subprocess.run(["inotifywait", "--help"], capture_output=True, text=True).stdout.split()[1]

    def command(self, folder):
        return ["inotifywait", "-m", "-r", "--format", "%c\t%e\t%w%f", "-e", "create,delete,move,close_write,modify,attrib", folder]

    def is_ready(self, line):
        return line.startswith("Watches established")

    def parse(self, line):
        if line.count("\t") != 2:
            return
        cookie, kinds, path = line.split("\t")
        path = self.relative(path)
        meanings = {"CREATE": "create", "DELETE": "delete", "MOVED_FROM": "from_half", "MOVED_TO": "to_half", "CLOSE_WRITE": "complete",
                    "MODIFY": "modify", "Q_OVERFLOW": "overflow"}
        kind = next((meaning for name, meaning in meanings.items() if kinds.startswith(name)), "told")
        yield Event(kind, path, cookie, words=f"{kinds} {path}")


class Chokidar(Watcher):
    title = "chokidar"
    how = "`watch(DIR, {ignoreInitial: true}).on('all', …)`"
    get = "Debian: apt-get install node-chokidar"
    module = os.environ.get("CHOKIDAR", "/usr/share/nodejs/chokidar")

    @classmethod
    def environment(cls):
        return {**os.environ, "NODE_PATH": "/usr/share/nodejs"}

    @classmethod
    def is_there(cls):
        return shutil.which("node") is not None and os.path.isdir(cls.module)

    @classmethod
    def version(cls):
        return output("node", HERE / "chokidar_lines.js", cls.module, env=cls.environment()).strip()

    def command(self, folder):
        return ["env", "NODE_PATH=/usr/share/nodejs", "node", HERE / "chokidar_lines.js", self.module, folder]

    def parse(self, line):
        if not line.startswith("["):
            return
        kind, path = json.loads(line)
        kinds = {"add": "create", "addDir": "create", "unlink": "delete", "unlinkDir": "delete", "change": "modify", "error": "overflow"}
        path = path if kind == "error" else self.relative(path)
        yield Event(kinds[kind], path, words=f"{kind} {path}")


class PythonWatcher(Watcher):
    """A watcher of Python, whose module has the name of its title."""

    get = "Scripts/bench --install-peers, or PEERS_PYTHON=PYTHON"

    @classmethod
    def is_there(cls):
        return subprocess.run([PYTHON, "-c", f"import {cls.title}"], stderr=subprocess.DEVNULL).returncode == 0

    @classmethod
    def version(cls):
        return output(PYTHON, "-c", f"import importlib.metadata as m; print(m.version('{cls.title}'))").strip()


class Watchdog(PythonWatcher):
    title = "watchdog"
    how = "`Observer().schedule(handler, DIR, recursive=True)`"

    def command(self, folder):
        return [PYTHON, HERE / "watchdog_lines.py", folder, "all"]

    def parse(self, line):
        if not line.startswith("("):
            return
        kind, path, second = ast.literal_eval(line)
        kinds = {"created": "create", "deleted": "delete", "moved": "rename", "modified": "modify", "closed": "complete"}
        path, second = self.relative(path), self.relative(second) if second else None
        yield Event(kinds.get(kind, "told"), path, second, words=f"{kind} {path}" + (f" → {second}" if second else ""))


class Watchfiles(PythonWatcher):
    title = "watchfiles"
    how = "`watch(DIR, watch_filter=None, step=10, debounce=100)`; it contains notify"

    def command(self, folder):
        return [PYTHON, HERE / "watchfiles_lines.py", folder]

    def parse(self, line):
        kind, _, path = line.partition(" ")
        kinds = {"added": "create", "deleted": "delete", "modified": "modify"}
        if kind in kinds:
            path = self.relative(path)
            yield Event(kinds[kind], path, words=f"{kind} {path}")


class Fswatch(Watcher):
    title = "fswatch"
    how = "`fswatch --recursive --latency=0.1 --event-flags DIR`"
    get = "Debian: apt-get install fswatch"
    program = "fswatch"

    @classmethod
    def version(cls):
        return output("fswatch", "--version").split()[1]

    def command(self, folder):
        return [sys.executable, HERE / "fswatch_lines.py", folder]

    def pids(self):
        return [int(output("pgrep", "--parent", str(self.process.pid), "fswatch").split()[0])]

    def parse(self, line):
        match = re.fullmatch(r"(/.*?) ((?:[A-Z][A-Za-z]+ ?)+)", line)
        if not match:
            return
        path, flags = self.relative(match[1]), match[2].split()
        meanings = {"Overflow": "overflow", "Removed": "delete", "MovedFrom": "delete", "Created": "create", "MovedTo": "create",
                    "Updated": "modify"}
        yield Event(next((meaning for flag, meaning in meanings.items() if flag in flags), "told"), path, words=f"{' '.join(flags)} {path}")


MAIN = [FSObserve, Watchman, Notify, Parcel, GIO]
SOURCES = [FSObserveWithInotify, FSObserveByPolling]
OTHERS = [Inotifywait, Chokidar, Watchdog, Watchfiles, Fswatch]
