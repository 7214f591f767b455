"""A large file that is copied in is shown growing, and then finished, once."""

import subprocess
import threading
import time

from driver import NotYet, wait_for
from fixture import BrowserTest

MEGABYTES = 300
SECONDS = 4


class CopyingTest(BrowserTest):
    def test_a_large_copy_grows_and_is_finished_once(self):
        browser = self.open()
        browser.wait_for_row("draft.txt")
        browser.show_page("Activity")
        copying = self.start_copying(self.folder / "film.mkv")
        states = self.watch(browser, copying)
        self.assertEqual(copying.wait(), 0)
        sizes = [float(state.split()[1]) for state in states[:-1]]
        self.assertGreaterEqual(len(sizes), 2, f"it was not seen to grow: {states}")
        self.assertEqual(sizes, sorted(sizes), "it grows")
        browser.wait_for_row("film.mkv", lambda row: any(fact.startswith("314") for fact in row.facts), "has its size")
        browser.wait_for_sentence("film.mkv was copied by another program")
        self.assertEqual(sum("film.mkv" in sentence for sentence in browser.sentences()), 1)

    def start_copying(self, target):
        """Copies a file as if it came from a slow disk: cp gets it through a pipe."""
        copying = subprocess.Popen(["cp", "/dev/stdin", str(target)], stdin=subprocess.PIPE)
        self.addCleanup(copying.kill)

        def feed():
            megabyte = bytes(1 << 20)
            start = time.monotonic()
            with copying.stdin as pipe:
                for number in range(MEGABYTES):
                    pipe.write(megabyte)
                    time.sleep(max(0, start + number * SECONDS / MEGABYTES - time.monotonic()))

        threading.Thread(target=feed, daemon=True).start()
        return copying

    def watch(self, browser, copying):
        """The states that the row has had, one after the other: how much is copied, and at last nothing."""
        states = []

        def look():
            try:
                row = browser.row("film.mkv")
            except NotYet:
                return False
            state = next((fact for fact in row.facts if fact.startswith("copying")), None)
            if not states or states[-1] != state:
                states.append(state)
            return state is None

        wait_for(look, "the copy is complete", 60)
        self.assertIsNotNone(copying.poll(), f"it was finished before cp was: {states}")
        return states


if __name__ == "__main__":
    import unittest

    unittest.main()
