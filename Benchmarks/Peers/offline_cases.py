"""What happens to a folder while no program watches it: one function for each case, and the folder that it begins with."""

import os
import shutil
import subprocess
from pathlib import Path

LONG_AGO = 1_700_000_000  # nothing is of the time of a change, and no two files are of one time
CASES = {}


def case(title):
    def register(function):
        CASES[title] = function
        return function
    return register


def make_folder(folder):
    """Five files in three folders; each has contents, a size and a time of its own."""
    (folder / "project/parts").mkdir(parents=True)
    (folder / "archive").mkdir()
    for number, name in enumerate(["letter.txt", "report.txt", "archive/old.txt", "project/plan.txt", "project/parts/part.txt"]):
        (folder / name).write_text("".join(f"{name}, line {line}\n" for line in range(5 + number)))
    for number, item in enumerate(sorted(folder.rglob("*"), reverse=True)):
        os.utime(item, (LONG_AGO + number, LONG_AGO + number))


def save_in_place(path):
    with open(path, "a") as file:
        file.write("One line more\n")


def save_by_replacement(path):
    temporary = path.with_name(".saving")
    temporary.write_text(path.read_text())
    save_in_place(temporary)
    temporary.rename(path)


def overwrite_by_equal(path):
    before = path.stat()
    path.write_text(path.read_text().upper())
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def exchange(one, other):
    between = one.with_name("between")
    one.rename(between)
    other.rename(one)
    between.rename(other)


@case("nothing")
def nothing(folder):
    pass


@case("renamed")
def renamed(folder):
    (folder / "letter.txt").rename(folder / "brief.txt")


@case("renamed, upper case only")
def renamed_upper_case(folder):
    (folder / "letter.txt").rename(folder / "Letter.txt")


@case("moved")
def moved(folder):
    (folder / "letter.txt").rename(folder / "archive/letter.txt")


@case("folder renamed, with all that is in it")
def folder_renamed(folder):
    (folder / "project").rename(folder / "venture")


@case("two files exchanged")
def files_exchanged(folder):
    exchange(folder / "letter.txt", folder / "report.txt")


@case("two folders exchanged")
def folders_exchanged(folder):
    exchange(folder / "project", folder / "archive")


@case("saved in place")
def saved_in_place(folder):
    save_in_place(folder / "letter.txt")


@case("saved by replacement: a new file renamed over it")
def saved_by_replacement(folder):
    save_by_replacement(folder / "letter.txt")


@case("saved with backup: renamed to `letter.txt~`, then written anew")
def saved_with_backup(folder):
    letter, backup = folder / "letter.txt", folder / "letter.txt~"
    letter.rename(backup)
    letter.write_text(backup.read_text())
    save_in_place(letter)


@case("saved with backup by link: `letter.txt~` linked, then a new file renamed over `letter.txt`")
def saved_with_linked_backup(folder):
    os.link(folder / "letter.txt", folder / "letter.txt~")
    save_by_replacement(folder / "letter.txt")


@case("renamed, and saved in place")
def renamed_and_saved(folder):
    (folder / "letter.txt").rename(folder / "brief.txt")
    save_in_place(folder / "brief.txt")


@case("renamed, and saved by replacement")
def renamed_and_replaced(folder):
    (folder / "letter.txt").rename(folder / "brief.txt")
    save_by_replacement(folder / "brief.txt")


@case("saved by replacement, and renamed")
def replaced_and_renamed(folder):
    save_by_replacement(folder / "letter.txt")
    (folder / "letter.txt").rename(folder / "brief.txt")


@case("folder moved, and a file in it saved by replacement")
def folder_moved_and_saved(folder):
    (folder / "project").rename(folder / "archive/project")
    save_by_replacement(folder / "archive/project/plan.txt")


@case("folder renamed, and a file in it removed")
def folder_renamed_and_file_removed(folder):
    (folder / "project").rename(folder / "venture")
    (folder / "venture/plan.txt").unlink()


@case("moved, and another file new at the old name")
def moved_and_succeeded(folder):
    (folder / "letter.txt").rename(folder / "archive/letter.txt")
    (folder / "letter.txt").write_text("Dear reader\n")


@case("replaced by another file of the same size and time (`touch -r`)")
def replaced_by_equal(folder):
    letter, other = folder / "letter.txt", folder / ".other"
    other.write_text(letter.read_text().upper())
    shutil.copystat(letter, other)
    for name in os.listxattr(other):  # copystat brings them along, touch does not
        os.removexattr(other, name)
    other.rename(letter)


@case("replaced by an edited copy of itself (`cp -a`) of the same size and time")
def replaced_by_equal_copy(folder):
    letter, copy = folder / "letter.txt", folder / ".copy"
    subprocess.run(["cp", "-a", letter, copy], check=True)
    overwrite_by_equal(copy)
    copy.rename(letter)


@case("overwritten in place, size and time as before (`touch -r`)")
def overwritten_by_equal(folder):
    overwrite_by_equal(folder / "letter.txt")


@case("another document moved over it")
def other_moved_over(folder):
    (folder / "report.txt").rename(folder / "letter.txt")


@case("removed, and made anew")
def removed_and_made(folder):
    (folder / "letter.txt").unlink()
    (folder / "letter.txt").write_text("Dear reader\n")


@case("removed")
def removed(folder):
    (folder / "letter.txt").unlink()


@case("removed, and another file new under another name")
def removed_and_other_made(folder):
    (folder / "letter.txt").unlink()
    (folder / "note.txt").write_text("Milk\n")


@case("folder removed, with all that is in it")
def folder_removed(folder):
    shutil.rmtree(folder / "project")


@case("new")
def new(folder):
    (folder / "note.txt").write_text("Milk\n")


@case("new folder with a file")
def new_folder(folder):
    (folder / "trip").mkdir()
    (folder / "trip/note.txt").write_text("Milk\n")


@case("made and removed again")
def made_and_removed(folder):
    (folder / "note.txt").write_text("Milk\n")
    (folder / "note.txt").unlink()


@case("copied with attributes (`cp -a`)")
def copied_with_attributes(folder):
    subprocess.run(["cp", "-a", folder / "letter.txt", folder / "copy.txt"], check=True)


@case("copied without attributes (`cp`)")
def copied(folder):
    subprocess.run(["cp", folder / "letter.txt", folder / "copy.txt"], check=True)


@case("copied with attributes, and the first one removed")
def moved_by_copying(folder):
    copied_with_attributes(folder)
    removed(folder)


@case("copied without attributes, and the first one removed")
def moved_by_plain_copying(folder):
    copied(folder)
    removed(folder)


@case("folder copied with attributes (`cp -a`)")
def folder_copied(folder):
    subprocess.run(["cp", "-a", folder / "project", folder / "venture"], check=True)


@case("hard link added")
def linked(folder):
    os.link(folder / "letter.txt", folder / "link.txt")


@case("another time of modification (`touch`)")
def touched(folder):
    (folder / "letter.txt").touch()


@case("permissions changed")
def permissions_changed(folder):
    (folder / "letter.txt").chmod(0o600)


@case("an extended attribute added")
def attribute_added(folder):
    os.setxattr(folder / "letter.txt", "user.xdg.comment", b"to be sent")


@case("a folder in the place of a file")
def folder_for_file(folder):
    (folder / "letter.txt").unlink()
    (folder / "letter.txt").mkdir()
