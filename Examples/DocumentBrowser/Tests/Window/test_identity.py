"""A favourite, a label, a note and the selection stay on their document, whatever other programs do to it."""

import os
import unittest

import programs
from fixture import BrowserTest

NOTE = "Ask Charles before it is sent"


class IdentityTest(BrowserTest):
    def setUp(self):
        super().setUp()
        self.browser = self.open()
        self.browser.mark("draft.txt", "red", NOTE)

    def expect(self, name, selected=True, folder=None, browser=None):
        """The document has everything that was noted."""
        browser = browser or self.browser

        def is_as_before(row):
            return (row.is_favourite and row.label == "red" and row.has_note and row.is_selected == selected
                    and (folder is None or folder in row.texts))

        browser.wait_for_row(name, is_as_before, "is as it was")
        if not selected:
            browser.select(name)
            browser.show_page("Details")
        self.assertEqual(browser.note.text, NOTE)

    def test_rename(self):
        programs.run("mv", self.folder / "draft.txt", self.folder / "report.txt")
        self.browser.wait_for_no_row("draft.txt")
        self.expect("report.txt")

    def test_move_to_a_subfolder(self):
        programs.run("mv", self.folder / "draft.txt", self.folder / "Letters/report.txt")
        self.expect("report.txt", folder="Letters")

    def test_saved_by_vim(self):
        inode = os.stat(self.folder / "draft.txt").st_ino
        programs.save_with_vim(self.folder / "draft.txt", "Yours, Charles")
        self.expect_saved("draft.txt", inode)

    def test_saved_by_sed(self):
        inode = os.stat(self.folder / "draft.txt").st_ino
        programs.save_with_sed(self.folder / "draft.txt", "Ada", "Augusta")
        self.expect_saved("draft.txt", inode)

    def expect_saved(self, name, inode):
        self.assertNotEqual(os.stat(self.folder / name).st_ino, inode, "the program should have replaced the file")
        self.browser.show_page("Activity")
        self.browser.wait_for_sentence(f"{name} was saved by another program")
        self.browser.show_page("Details")
        self.expect(name)

    def test_trashed_and_restored(self):
        programs.trash(self.folder / "draft.txt")
        self.browser.wait_for_no_row("draft.txt")
        programs.restore("draft.txt")
        self.expect("draft.txt", selected=False)

    def test_restart(self):
        self.browser.quit()
        self.expect("draft.txt", selected=False, browser=self.open())

    def test_moved_while_the_app_was_closed(self):
        self.browser.quit()
        programs.run("mv", self.folder / "draft.txt", self.folder / "Letters/report.txt")
        self.expect("report.txt", selected=False, folder="Letters", browser=self.open())

    def test_saved_while_the_app_was_closed(self):
        self.browser.quit()
        programs.save_with_vim(self.folder / "draft.txt", "Yours, Charles")
        self.expect("draft.txt", selected=False, browser=self.open())


class OfficeTest(BrowserTest):
    documents = {}

    def test_saved_by_libreoffice(self):
        document = self.folder / "report.odt"
        programs.make_odt(document)
        browser = self.open()
        browser.mark("report.odt", "blue", NOTE)
        inode = os.stat(document).st_ino
        # No other file gets the number of a file that is open.
        with open(document, "rb"):
            program = programs.save_with_libreoffice(document)
        self.assertNotEqual(os.stat(document).st_ino, inode, "LibreOffice should have replaced the file")
        browser.show_page("Activity")
        browser.wait_for_sentence(".*saved by another program")
        browser.show_page("Details")
        browser.wait_for_row(
            "report.odt", lambda row: row.is_favourite and row.label == "blue" and row.has_note and row.is_selected)
        self.assertEqual(browser.note.text, NOTE)
        print(f"saved by {program} … ", end="", flush=True)


if __name__ == "__main__":
    unittest.main()
