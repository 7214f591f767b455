"""Measures how the window scrolls through 100,000 documents, and how long 10,000 changes at once hold it up.

The app itself measures, see `FrameMeter`: frames by the counters of GTK's frame clock, and how late a timer of 5 ms
comes.
"""

import json
import os
import queue
import shutil
import threading
import time
from pathlib import Path

from browser import Browser
from driver import press, wait_for

DOCUMENTS = 100_000
CHANGES = 10_000
LIMIT = 50


class Meter:
    """What the app prints about itself, in a phase of the measurement."""

    def __init__(self, browser):
        self.lines = queue.Queue()
        threading.Thread(target=self._read, args=[browser.process.stdout], daemon=True).start()

    def _read(self, stream):
        for line in stream:
            if line.startswith("{"):
                self.lines.put(json.loads(line))

    def take(self):
        lines = []
        while not self.lines.empty():
            lines.append(self.lines.get())
        return lines

    def next_report(self):
        """Waits for a report of what was before, which the app prints once a second."""
        line = self.lines.get(timeout=30)
        while line["kind"] != "blocked":
            line = self.lines.get(timeout=30)
        return line


def phase(meter, title, body):
    """Does something, and says how long the window was held up meanwhile, and how it was drawn."""
    meter.next_report()
    meter.take()
    started = time.monotonic()
    body()
    seconds = time.monotonic() - started
    last = meter.next_report()
    lines = meter.take() + [last]
    blocked = [line for line in lines if line["kind"] == "blocked"]
    frames = [line for line in lines if line["kind"] == "frames"]
    result = {
        "what": title, "seconds": round(seconds, 1),
        "longest blocked, ms": max(line["longest"] for line in blocked),
        "of which with a processor, ms": max(line.get("busy", 0) for line in blocked),
    }
    if frames:
        result |= {
            "frames": sum(line["count"] for line in frames),
            "median, ms": max(line["median"] for line in frames),
            "95 %, ms": max(line["p95"] for line in frames),
            "longest frame, ms": max(line["longest"] for line in frames),
        }
    print(json.dumps(result), flush=True)
    return result


def run():
    folder = Path(os.environ["HOME"]) / "Documents"
    folder.mkdir()
    for number in range(DOCUMENTS):
        (folder / f"Document {number}.txt").touch()
    with Browser(folder, "--measure") as browser:
        meter = Meter(browser)
        started = time.monotonic()
        wait_for_count(browser, DOCUMENTS)
        print(json.dumps({"what": f"{DOCUMENTS} documents are shown", "seconds": round(time.monotonic() - started, 1)}))
        browser.select("Document 3.txt")
        results = [
            phase(meter, "scrolled by pages", lambda: scroll("Next", 200)),
            phase(meter, "scrolled to the end and back", lambda: scroll("End", 3, "Home")),
            phase(meter, f"{CHANGES} documents are renamed", lambda: rename(browser, folder)),
            phase(meter, f"{CHANGES} documents come", lambda: add(browser, folder)),
            phase(meter, f"{CHANGES} documents go", lambda: remove(browser, folder)),
        ]
        browser.quit()
    # While the machine has other work, the window waits for a processor: that is not its own doing.
    held_up = [min(result["longest blocked, ms"], result["of which with a processor, ms"]) for result in results]
    too_long = [result["what"] for result, time in zip(results, held_up) if time > LIMIT]
    if too_long:
        print(f"longer than {LIMIT} ms: {', '.join(too_long)}")
    return 1 if too_long else 0


def wait_for_count(browser, count):
    text = f"{count:,} items"
    wait_for(lambda: browser.window.find(text, role="label"), f"the title says {text}", 120)


def scroll(key, times, back=None):
    for _ in range(times):
        press(key, *([back] if back else []))


def rename(browser, folder):
    for number in range(CHANGES):
        os.rename(folder / f"Document {number * 10}.txt", folder / f"Text {number}.txt")
    browser.wait_for_sentence(f"{CHANGES:,} documents were renamed in Documents by another program", deadline=60)


def add(browser, folder):
    (folder / "New").mkdir()
    for number in range(CHANGES):
        (folder / f"New/{number}.txt").touch()
    wait_for_count(browser, DOCUMENTS + CHANGES + 1)


def remove(browser, folder):
    shutil.rmtree(folder / "New")
    wait_for_count(browser, DOCUMENTS)
