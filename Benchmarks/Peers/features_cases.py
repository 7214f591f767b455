"""What happens to a folder while programs watch it: one function for each operation, and where each document is afterwards."""

import ctypes
import os
import shutil
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable

import offline_cases
from offline_cases import save_by_replacement, save_in_place

CASES = []
PAUSE = "pause"  # what an operation yields where it waits until all is told


@dataclass
class Case:
    """An operation; by their names before it, where documents are, which are gone, and what is a copy of which."""

    title: str
    change: Callable
    moved: dict = field(default_factory=dict)
    gone: tuple = ()
    links: dict = field(default_factory=dict)  # by the further name
    copies: dict = field(default_factory=dict)  # by the name of the copy
    written: tuple = ()  # what must be told as written, under these names
    completed: str = ""  # a file that must be told as complete after it is closed, and not before

    def documents(self, names):
        """Where each document is afterwards: its name before by its name now."""
        below = lambda name, top: (name + "/").startswith(top + "/")
        where = lambda name: next((new + name[len(old):] for old, new in self.moved.items() if below(name, old)), name)
        return {where(name): name for name in names if not any(below(name, top) for top in self.gone)} | self.links


def case(title, **outcome):
    def register(function):
        CASES.append(Case(title, function, **outcome))
        return function
    return register


def outside(folder):
    """A folder that nobody watches, on the same file system."""
    place = folder.parents[1] / "outside" / folder.name
    place.mkdir(parents=True, exist_ok=True)
    return place


def rename_exchange(one, other):
    library = ctypes.CDLL(None, use_errno=True)
    if library.renameat2(-100, os.fsencode(one), -100, os.fsencode(other), 2) != 0:
        raise OSError(ctypes.get_errno(), "renameat2", str(one))


def known(title, function, **outcome):
    """An operation of the comparison of what happened while nobody watched."""
    case(title, **outcome)(function)


known("a new file", offline_cases.new, completed="note.txt")
known("a file renamed", offline_cases.renamed, moved={"letter.txt": "brief.txt"})
known("a file moved to another folder", offline_cases.moved, moved={"letter.txt": "archive/letter.txt"})
known("a folder renamed, with all that is in it", offline_cases.folder_renamed, moved={"project": "venture"})


@case("a folder renamed, then a file in it saved", moved={"project": "venture"}, written=("venture/plan.txt",))
def folder_renamed_then_saved(folder):
    offline_cases.folder_renamed(folder)
    yield PAUSE
    save_in_place(folder / "venture/plan.txt")


@case("two files exchanged (`RENAME_EXCHANGE`)", moved={"letter.txt": "report.txt", "report.txt": "letter.txt"})
def files_exchanged(folder):
    rename_exchange(folder / "letter.txt", folder / "report.txt")


known("saved in place", offline_cases.saved_in_place, written=("letter.txt",))
known("saved by renaming a new file over it", offline_cases.saved_by_replacement, written=("letter.txt",))
known("saved with backup: renamed to `letter.txt~`, written anew", offline_cases.saved_with_backup, written=("letter.txt",),
      copies={"letter.txt~": "letter.txt"})
known("removed and made anew", offline_cases.removed_and_made, written=("letter.txt",))


@case("saved by vim", written=("letter.txt",))
def saved_by_vim(folder):
    command = ["vim", "-Nu", "NONE", "-es", "-c", "$put ='One line more'", "-c", "wq", folder / "letter.txt"]
    subprocess.run(command, stdin=subprocess.DEVNULL, check=True)


@case("changed by `sed -i`", written=("letter.txt",))
def changed_by_sed(folder):
    subprocess.run(["sed", "-i", "s/line/row/", folder / "letter.txt"], check=True)


known("another document moved over it", offline_cases.other_moved_over, moved={"report.txt": "letter.txt"}, gone=("letter.txt",))
known("removed", offline_cases.removed, gone=("letter.txt",))
known("removed, and another file new under another name", offline_cases.removed_and_other_made, gone=("letter.txt",))
known("a folder removed, with all that is in it", offline_cases.folder_removed, gone=("project",))
known("copied (`cp`)", offline_cases.copied)
known("copied with attributes (`cp -a`)", offline_cases.copied_with_attributes, copies={"copy.txt": "letter.txt"})
known("a folder copied with attributes (`cp -a`)", offline_cases.folder_copied, copies={
    "venture": "project", "venture/plan.txt": "project/plan.txt", "venture/parts": "project/parts",
    "venture/parts/part.txt": "project/parts/part.txt"})
known("a further name (hard link)", offline_cases.linked, links={"link.txt": "letter.txt"})


@case("a folder moved by copying (`cp -a`, `rm -r`)", moved={"project": "venture"})
def folder_moved_by_copying(folder):
    subprocess.run(["cp", "-a", folder / "project", folder / "venture"], check=True)
    shutil.rmtree(folder / "project")


@case("folders made with files in them at once (`mkdir -p`)")
def folders_made(folder):
    for number in range(20):
        (folder / f"a{number}/b/c").mkdir(parents=True)
        for place in ("a", "a/b", "a/b/c"):
            (folder / place.replace("a", f"a{number}", 1) / "note.txt").write_text("Milk\n")


@case("a folder moved in from outside")
def folder_moved_in(folder):
    arriving = outside(folder) / "trip"
    (arriving / "day").mkdir(parents=True)
    (arriving / "day/note.txt").write_text("Milk\n")
    arriving.rename(folder / "trip")


@case("a folder moved out, then a file in it saved there", gone=("project",))
def folder_moved_out(folder):
    (folder / "project").rename(outside(folder) / "project")
    yield PAUSE
    save_in_place(outside(folder) / "project/plan.txt")


@case("a file moved out of the folder, and back")
def moved_out_and_back(folder):
    (folder / "letter.txt").rename(outside(folder) / "letter.txt")
    yield PAUSE
    (outside(folder) / "letter.txt").rename(folder / "letter.txt")


@case("a file that grows, with a stall of 2.5 s", completed="film.mp4")
def growing(folder):
    with open(folder / "film.mp4", "wb", buffering=0) as film:
        for pause in (0.3, 0.3, 2.5, 0.3, 0.6):
            film.write(bytes(100_000))
            time.sleep(pause)


@case("a file written under a temporary name (`.part`), then renamed")
def downloaded(folder):
    part = folder / "film.mp4.part"
    part.write_bytes(bytes(100_000))
    part.rename(folder / "film.mp4")


def burst(folder):
    """10,000 files in 100 folders, as fast as it goes."""
    for number in range(100):
        place = folder / f"burst{number}"
        place.mkdir()
        for file in range(100):
            (place / f"{file}.txt").write_text("x")


def renames(folder):
    """20,000 files, to be renamed while a program is stopped: more than a queue of the kernel holds."""
    (folder / "many").mkdir()
    for number in range(20_000):
        (folder / f"many/{number}.txt").touch()


def rename_all(folder):
    for number in range(20_000):
        (folder / f"many/{number}.txt").rename(folder / f"many/{number}.new")
    (folder / "deep/er").mkdir(parents=True)
    (folder / "deep/er/note.txt").write_text("Milk\n")


def all_names(folder: Path):
    """All that is below a folder."""
    return {str(item.relative_to(folder)) for item in folder.rglob("*")}
