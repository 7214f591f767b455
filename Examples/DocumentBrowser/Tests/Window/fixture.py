"""What the tests have in common: a folder of documents, and the app that shows it."""

import os
import shutil
import unittest
from pathlib import Path

from browser import Browser


class BrowserTest(unittest.TestCase):
    """A test with a folder of its own. The app keeps nothing from one test to the next."""

    documents = {"draft.txt": "Dear Ada\n", "plan.txt": "One\nTwo\n", "Letters/": None}

    def setUp(self):
        self.opened = []
        self.home = Path(os.environ["HOME"])
        self.folder = self.home / "Documents"
        for place in [self.folder, Path(os.environ["XDG_STATE_HOME"]), Path(os.environ["XDG_DATA_HOME"])]:
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir()
        for name, text in self.documents.items():
            path = self.folder / name
            if text is None:
                path.mkdir(parents=True)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)

    def open(self, *options, **settings):
        """Starts the app with the folder; it is ended with the test, if not before."""
        browser = Browser(self.folder, *options, **settings)
        self.addCleanup(browser.end)
        self.opened.append(browser)
        return browser
