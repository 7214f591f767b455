"""parcel-watcher, and what programs are often written with instead of a watcher: find, rsync, git."""

import json
import os
import re
import shutil
import subprocess
import time

from offline_peer import HERE, Peer, output


class Parcel(Peer):
    """The Node module @parcel/watcher, which compares a snapshot with what is there."""

    title = "parcel-watcher"
    how = "`writeSnapshot(DIR, FILE)`, later `getEventsSince(DIR, FILE)`, with `backend: 'brute-force'`"
    get = "npm install @parcel/watcher, then PARCEL_WATCHER=…/node_modules/@parcel/watcher; or see parcel_watcher_since.js"
    module = os.environ.get("PARCEL_WATCHER", "@parcel/watcher")

    @classmethod
    def is_there(cls):
        return shutil.which("node") is not None and cls.run("version", "").returncode == 0

    @classmethod
    def version(cls):
        return f"{cls.run('version', '').stdout.strip()}, node {output('node', '--version').strip()}"

    @classmethod
    def run(cls, verb, pairs):
        script = HERE / "parcel_watcher_since.js"
        return subprocess.run(["node", script, cls.module, verb], input=pairs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def pairs(self, folders):
        return json.dumps([[str(folder), str(self.state / f"{folder.name}.snapshot")] for folder in folders])

    def remember(self, folders):
        self.run("remember", self.pairs(folders)).check_returncode()

    def tell(self, folders):
        answer = self.run("tell", self.pairs(folders))
        answer.check_returncode()
        return [[f"{event['type']} {os.path.relpath(event['path'], folder)}" for event in events]
                for folder, events in zip(folders, json.loads(answer.stdout))]


class Find(Peer):
    """find -newer, with a file that was touched when all was known."""

    title = "`find -newer`"
    how = "`touch STAMP`, later `find DIR ! -type d -newer STAMP`"
    get = "Debian: apt-get install findutils"
    program = "find"

    @classmethod
    def version(cls):
        return output("find", "--version").splitlines()[0].split()[-1]

    def remember_one(self, folder):
        stamp = self.state / f"{folder.name}.stamp"
        stamp.touch()
        os.utime(stamp, (time.time() - 1, time.time() - 1))

    def tell_one(self, folder):
        stamp = self.state / f"{folder.name}.stamp"
        return sorted(output("find", folder, "!", "-type", "d", "-newer", stamp, "-printf", "%P\n").splitlines())


class Rsync(Peer):
    """rsync against a copy."""

    title = "`rsync -n`"
    how = "`rsync -aHX DIR/ COPY/`, later `rsync -aHX --dry-run --itemize-changes --delete DIR/ COPY/`"
    get = "Debian: apt-get install rsync"
    program = "rsync"

    @classmethod
    def version(cls):
        return output("rsync", "--version").split()[2]

    def synchronize(self, folder, *options):
        return output("rsync", "-aHX", *options, f"{folder}/", f"{self.state / folder.name}.copy/")

    def remember_one(self, folder):
        self.synchronize(folder)

    def tell_one(self, folder):
        lines = self.synchronize(folder, "--dry-run", "--itemize-changes", "--delete").splitlines()
        return sorted(re.sub(" +", " ", line.strip()) for line in lines if not line.startswith(".d"))


class Git(Peer):
    """git with all help it has for renames and copies."""

    title = "git"
    how = ("`git add --all`, `git commit`, later `git add --all` and "
           "`git diff --cached --name-status --find-renames --find-copies-harder`")
    get = "Debian: apt-get install git"
    program = "git"

    @classmethod
    def version(cls):
        return output("git", "--version").split()[2]

    def git(self, folder, *command):
        repository = self.state / f"{folder.name}.git"
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
        person = ["-c", "user.name=none", "-c", "user.email=none"]
        return output("git", f"--git-dir={repository}", f"--work-tree={folder}", *person, *command, env=environment, cwd=folder)

    def remember(self, folders):
        super().remember(folders)
        time.sleep(1.1)  # git compares times in seconds, and would not see that a file has changed in the same one

    def remember_one(self, folder):
        self.git(folder, "init", "--quiet")
        self.git(folder, "add", "--all")
        self.git(folder, "commit", "--quiet", "--message", "All")

    def tell_one(self, folder):
        self.git(folder, "add", "--all")
        names = self.git(folder, "diff", "--cached", "--name-status", "--find-renames", "--find-copies-harder")
        return [line.replace("\t", " ") for line in names.splitlines()]
