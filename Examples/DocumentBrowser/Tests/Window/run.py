"""Runs tests, pictures or measures of the window on a desktop of their own, and leaves nothing behind.

usage: run.py PROGRAM (tests [NAME…] | screenshots FOLDER | measure)

It starts a display and a session bus, and then itself within: only what is started after them knows where they are.
"""

import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

from desktop import Desktop, save_screen


def outside(program, words):
    """Makes the desktop, runs what is wanted on it, and takes it away, also when it is told to end."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended before it was done"))
    desktop = Desktop()
    try:
        environment = desktop.environment
        environment["DISPLAY"] = desktop.start()
        environment["BROWSER_PROGRAM"] = os.path.abspath(program)
        status = subprocess.run(
            ["dbus-run-session", "--", sys.executable, __file__, "--inside", *words], env=environment,
            stdin=subprocess.DEVNULL).returncode
    finally:
        desktop.stop()
        end_leftovers(desktop)
        desktop.remove()
    return status


def end_leftovers(desktop):
    """Services of the session end with its bus; what does not, within some seconds, is ended."""
    deadline = time.monotonic() + 5
    while desktop.leftovers() and time.monotonic() < deadline:
        time.sleep(0.05)
    for process, command in desktop.leftovers().items():
        print(f"still running, and ended: {process} {command}", file=sys.stderr)
        os.kill(process, signal.SIGKILL)


class Result(unittest.TextTestResult):
    """Says how long each test took."""

    def startTest(self, test):
        self.started = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        super().stopTest(test)
        # As the tests in Swift say it, of which Scripts/test makes a table.
        self.stream.writeln(f"took: {time.monotonic() - self.started:.1f} s: {test.id()}")

    def addFailure(self, test, problem):
        self._show(test)
        super().addFailure(test, problem)

    def addError(self, test, problem):
        self._show(test)
        super().addError(test, problem)

    def _show(self, test):
        """What is in the windows; a picture of them stays if a folder for it is given."""
        for browser in getattr(test, "opened", []):
            try:
                self.stream.writeln("\n" + browser.window.tree())
            except Exception as error:  # Whatever is wrong with the window, the test's own failure is what counts.
                self.stream.writeln(f"\nthe window cannot be shown: {error}")
        if folder := os.environ.get("BROWSER_PICTURES"):
            save_screen(Path(folder) / f"{test.id()}.png")


def inside(what, *words):
    if what == "tests":
        loader = unittest.TestLoader()
        suite = loader.loadTestsFromNames(words) if words else loader.discover(str(Path(__file__).parent))
        result = unittest.TextTestRunner(verbosity=2, resultclass=Result).run(suite)
        return 0 if result.wasSuccessful() else 1
    if what == "screenshots":
        import screenshots

        return screenshots.make(Path(words[0]))
    if what == "measure":
        import measure

        return measure.run()
    raise SystemExit(__doc__)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        sys.exit(inside(*sys.argv[2:]))
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    sys.exit(outside(sys.argv[1], sys.argv[2:]))
