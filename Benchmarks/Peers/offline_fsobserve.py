"""fsobserve as a peer: what it says of the time before it was started, from its store."""

import itertools
import json
import os
import select
import subprocess
from concurrent.futures import ThreadPoolExecutor

from offline_peer import HERE, Peer, end_with_parent, output


def renamed(name, moves):
    """The name after the nearest of the folders around it, or it itself, has moved."""
    around = [before for before in moves if (name + "/").startswith(before + "/")]
    return moves[max(around, key=len)] + name[len(max(around, key=len)):] if around else name


class FSObserve(Peer):
    """fsobserve with a store: scanned before, watched after."""

    title = "fsobserve"
    how = "`fsobserve scan DIR --store FILE`, later `fsobserve watch DIR --store FILE`"
    get = "swift build, or FSOBSERVE=PROGRAM"
    program = os.environ.get("FSOBSERVE") or str(HERE.parents[1] / ".build/debug/fsobserve")
    rest = 3  # seconds without a line after the scan; a set is announced half a second after it

    @classmethod
    def version(cls):
        return output(cls.program, "--version").strip()

    def options(self, folder):
        return [folder, "--store", self.state / f"{folder.name}.store", "--format", "jsonl", "--relative", "--hidden"]

    def remember_one(self, folder):
        changes = map(json.loads, output(self.program, "scan", *self.options(folder)).splitlines())
        names = {change["uuid"]: change["path"] for change in changes if "uuid" in change}
        (self.state / f"{folder.name}.names").write_text(json.dumps(names))

    def tell(self, folders):
        with ThreadPoolExecutor(6) as threads:
            return list(threads.map(self.tell_one, folders))

    def tell_one(self, folder):
        names = json.loads((self.state / f"{folder.name}.names").read_text())  # by UUID
        changes = [change for line in self.watch(folder) if "FullScan" not in (change := json.loads(line))["kind"]]
        sets = [list(changes) for _, changes in itertools.groupby(changes, lambda change: change.get("seq"))]
        lines = []
        for number, changes in enumerate(sets):
            moves = {change["previousPath"]: change["path"] for change in changes if "previousPath" in change}
            lines += [self.words(change, names, moves) + " [a set later]" * (number > 0) for change in changes]
            names = {uuid: renamed(name, moves) for uuid, name in names.items()}
        return lines

    def watch(self, folder):
        """The lines of a watch, which ends when there were none for a while."""
        watch = subprocess.Popen([self.program, "watch", *self.options(folder)], stdout=subprocess.PIPE, preexec_fn=end_with_parent)
        text = b""
        while select.select([watch.stdout], [], [], self.rest if b"didCompleteFullScan" in text else 60)[0]:
            if not (read := os.read(watch.stdout.fileno(), 1 << 16)):
                break
            text += read
        watch.terminate()
        watch.wait()
        return text.decode().splitlines()

    def words(self, change, names, moves):
        kind, path, uuid = change["kind"], change.get("path"), change.get("uuid")
        if uuid is None:
            return f"{kind} {change.get('code', '')} {change.get('message', '')}"
        line = f"{kind} {change['previousPath']} → {path}" if "previousPath" in change else f"{kind} {path}"
        if "originalPath" in change:
            line += f" of {change['originalPath']}"
        if "reason" in change:
            line += f" ({change['reason']})"
        expected = self.expected_name(change, moves)
        return line if names.get(uuid) == expected else f"{line} [UUID of {names.get(uuid, 'none before')}]"

    def expected_name(self, change, moves):
        """The name that the item with the UUID of a change had before all changes, None if it was not there."""
        kind, path = change["kind"], change["path"]
        if kind in ("discovered", "duplicated", "copyFinished"):
            return None
        if kind in ("deleted", "renamed", "moved"):
            return change.get("previousPath", path)
        return renamed(path, {after: before for before, after in moves.items()})
