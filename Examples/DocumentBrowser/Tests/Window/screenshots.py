"""Makes the pictures of the README: in light, in dark, and what happened while the app was closed."""

import math
import os
import shutil
import subprocess
import time
from pathlib import Path

import programs
from browser import Browser
from desktop import save_screen, write_png
from driver import press, wait_for

DOCUMENTS = {
    "Letters/Letter to Ada.odt": 14_300, "Letters/Invitation.odt": 11_900,
    "Papers/Sketch of the Engine.pdf": 482_000, "Papers/Tables.ods": 38_400, "Budget.ods": 26_800, "Plan.md": 2_150,
    "Draft.odt": 21_700, "Reading List.txt": 840,
}
PICTURES = {"Pictures/Lake.png": 0.55, "Pictures/Evening.png": 0.04}


def make(folder):
    """Writes the pictures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    documents = Path(os.environ["HOME"]) / "Documents"
    make_documents(documents)
    with Browser(documents, style="light") as browser:
        browser.wait_for_row("Draft.odt")
        mark_documents(browser)
        # While the picture is made, a program copies something in.
        browser.select("Letter to Ada.odt")
        browser.show_page("Details")
        copying = start_copying(documents / "Pictures/Journey.mp4")
        browser.wait_for_row("Journey.mp4", lambda row: row.is_copying, "is being copied")
        # Its spinner turns: the window is never still.
        take(browser, folder / "document-browser-light.png", awaiting_stillness=False)
        browser.wait_for_row("Journey.mp4", lambda row: row.is_copying, "is being copied still")
        copying.terminate()
        copying.wait()
        os.unlink(documents / "Pictures/Journey.mp4")
        browser.wait_for_no_row("Journey.mp4")
        browser.quit()
    with Browser(documents, style="dark") as browser:
        browser.wait_for_row("Draft.odt")
        press("ctrl+shift+s")
        browser.wait_for_no_row("Tables.ods")
        work(browser, documents)
        browser.select("Report.odt")
        browser.show_page("Activity")
        take(browser, folder / "document-browser-dark.png")
        press("ctrl+shift+s")
        browser.wait_for_row("Tables.ods")
        browser.quit()
    work_while_closed(documents)
    with Browser(documents, style="light") as browser:
        browser.wait_for_sentence("Letter to Ada.odt was moved from Letters to Sent", "While you were away")
        browser.select("Letter to Ada.odt")
        browser.show_page("Activity")
        take(browser, folder / "document-browser-away.png")
        browser.quit()
    return 0


def take(browser, path, awaiting_stillness=True):
    """Writes what the window shows, when nothing moves in it any more."""
    left, top, width, height = browser.window.box()
    # The frame of a window without a compositor.
    box = (left, top, width + 10, height + 10)
    if awaiting_stillness:
        wait_for(lambda: is_still(path, box), "nothing moves in the window")
    else:
        save_screen(path, box)
    if shutil.which("optipng"):
        programs.run("optipng", "-quiet", "-o5", "-strip", "all", path)
    print(f"{path}: {path.stat().st_size >> 10} KiB")


def is_still(path, box):
    """Whether the window looks the same as a moment before."""
    before = path.read_bytes() if path.exists() else None
    save_screen(path, box)
    if path.read_bytes() == before:
        return True
    # An animation takes a quarter of a second.
    time.sleep(0.4)
    return False


# MARK: What is in the folder

def make_documents(folder):
    day = 24 * 3600
    for number, (name, size) in enumerate(DOCUMENTS.items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"\n" * size)
        then = time.time() - (number * number * 0.7 + 0.2) * day
        os.utime(path, (then, then))
    for name, hue in PICTURES.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        paint(path, hue)
    (folder / "Sent").mkdir()


def paint(path, hue):
    """Paints hills under a sky."""
    width, height = 240, 160
    rows = []
    for y in range(height):
        row = bytearray()
        for x in range(width):
            depth = sum(y > height * (0.45 + 0.18 * hill) + 14 * math.sin(x / (60 - 14 * hill) + hill * 2)
                        for hill in range(3))
            light = 0.95 - 0.4 * y / height if depth == 0 else 0.75 - 0.2 * depth
            row += bytes(int(255 * light * (0.75 + 0.25 * math.cos(2 * math.pi * (hue + shift))))
                         for shift in (0, 0.33, 0.66))
        rows.append(bytes(row))
    write_png(path, width, height, rows)


def mark_documents(browser):
    browser.mark("Letter to Ada.odt", "red", "Charles wants to read it before it is sent.")
    browser.mark("Draft.odt", "blue", "Chapter three is missing.")
    browser.mark("Sketch of the Engine.pdf", "green", "Cite this one.")
    for name, label in [("Budget.ods", "orange"), ("Tables.ods", "green"), ("Lake.png", "purple")]:
        browser.select(name)
        browser.window.find(f"Label {label}", role="push button").act()
        browser.wait_for_row(name, lambda row: row.label == label, "has a label")


def start_copying(path):
    return subprocess.Popen(
        ["sh", "-c", f"for number in $(seq 200); do head -c 3000000 /dev/zero; sleep 0.05; done > '{path}'"])


def work(browser, folder):
    """What other programs do while the app runs."""
    browser.show_page("Activity")
    programs.run("mv", folder / "Draft.odt", folder / "Report.odt")
    browser.wait_for_sentence("Report.odt was renamed from Draft.odt by another program")
    programs.save_with_vim(folder / "Report.odt", "The end")
    browser.wait_for_sentence("Report.odt was renamed from Draft.odt and saved by another program")
    programs.run("mkdir", folder / "Scans")
    for number in range(24):
        (folder / f"Scans/Page {number + 1}.tif").write_bytes(bytes(120_000))
    browser.wait_for_sentence("Scans was added by another program, with 24 items in it")
    programs.run("cp", "--preserve=all", folder / "Budget.ods", folder / "Budget 2027.ods")
    browser.wait_for_sentence("Budget 2027.ods is a copy of Budget.ods")
    programs.trash(folder / "Reading List.txt")
    browser.wait_for_sentence("Reading List.txt was moved to the trash by another program")
    programs.save_with_sed(folder / "Plan.md", "^$", "-")
    browser.wait_for_sentence("Plan.md was saved by another program")


def work_while_closed(folder):
    programs.run("mv", folder / "Letters/Letter to Ada.odt", folder / "Sent/Letter to Ada.odt")
    programs.run("mv", folder / "Pictures/Lake.png", folder / "Pictures/Lake of Como.png")
    programs.save_with_vim(folder / "Report.odt", "Once more")
    programs.run("rm", folder / "Papers/Tables.ods")
    programs.run("rm", "-r", folder / "Scans")
    (folder / "Letters/Answer.odt").write_bytes(b"\n" * 9_000)


if __name__ == "__main__":
    raise SystemExit("Scripts/app --screenshots")
