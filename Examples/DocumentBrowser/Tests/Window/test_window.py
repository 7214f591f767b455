"""What a person does in the window, with keys and with a pointer, and what it says when there is nothing to show."""

import os

from driver import press, type_text, wait_for
from fixture import BrowserTest


class WindowTest(BrowserTest):
    def setUp(self):
        super().setUp()
        self.browser = self.open()
        self.browser.wait_for_row("draft.txt")

    def names(self):
        return [row.name for row in self.browser.rows]

    def wait_for_names(self, *names):
        found = []

        def look():
            found[:] = self.names()
            return found == list(names)

        wait_for(look, lambda: f"the rows are {names}, not {found}")

    def test_rename_in_place(self):
        self.browser.select("draft.txt")
        press("F2")
        wait_for(lambda: self.browser.window.find("New name"), "the entry for the name")
        press("ctrl+a")
        type_text("report.txt")
        press("Return")
        self.browser.wait_for_row("report.txt", lambda row: row.is_selected, "is selected")
        self.assertTrue((self.folder / "report.txt").exists())
        press("ctrl+z")
        self.browser.wait_for_row("draft.txt")
        self.assertTrue((self.folder / "draft.txt").exists())

    def test_trash_and_undo(self):
        self.browser.mark("draft.txt", "green", "Keep")
        self.browser.select("draft.txt")
        press("Delete")
        self.browser.wait_for_no_row("draft.txt")
        self.assertFalse((self.folder / "draft.txt").exists())
        press("ctrl+z")
        self.browser.wait_for_row("draft.txt", lambda row: row.label == "green" and row.is_favourite)
        self.assertEqual((self.folder / "draft.txt").read_text(), "Dear Ada\n")

    def test_duplicate_keeps_label_and_note(self):
        self.browser.mark("draft.txt", "green", "Keep")
        press("Escape")
        self.browser.select("draft.txt")
        press("ctrl+d")
        wait_for(lambda: len(self.names()) == 4, "there is a copy")
        copy = next(row for row in self.browser.rows if row.name.startswith("draft") and row.name != "draft.txt")
        self.browser.wait_for_row(copy.name, lambda row: row.label == "green" and row.has_note, "has label and note")
        self.assertFalse(self.browser.row(copy.name).is_favourite)

    def test_search(self):
        press("ctrl+f")
        wait_for(lambda: self.browser.window.find(role="entry"), "the entry for the search")
        type_text("plan")
        self.wait_for_names("plan.txt")
        press("ctrl+a")
        type_text("nothing of the kind")
        wait_for(lambda: self.names() == [], "there is no row")
        press("Escape")
        self.wait_for_names("Letters", "draft.txt", "plan.txt")

    def test_filter_by_favourites(self):
        self.browser.mark("plan.txt", "blue", "Later")
        self.browser.window.find("Favourites", role="list item").click()
        self.wait_for_names("plan.txt")
        self.browser.window.find("Label red", role="list item").click()
        wait_for(lambda: self.names() == [], "there is no row")
        self.browser.window.find("All Documents", role="list item").click()
        self.wait_for_names("Letters", "draft.txt", "plan.txt")

    def test_sort_by_label(self):
        wait_for(lambda: self.browser.window.find("Sort", role="push button").click() or True, "the menu can be opened")
        label = wait_for(
            lambda: self.browser.window.find("Label", where=lambda item: item.role.endswith("menu item")), "the order is in the menu")
        label.act()
        self.browser.mark("plan.txt", "blue", "Later")
        self.wait_for_names("Letters", "plan.txt", "draft.txt")
        self.browser.mark("draft.txt", "red", "Now")
        self.wait_for_names("Letters", "draft.txt", "plan.txt")
        self.assertEqual(self.browser.selected, ["draft.txt"])

    def test_subfolders(self):
        (self.folder / "Letters/a.txt").write_text("A")
        self.wait_for_names("Letters", "a.txt", "draft.txt", "plan.txt")
        press("ctrl+shift+s")
        self.wait_for_names("Letters", "draft.txt", "plan.txt")

    def test_everything_has_a_name(self):
        unnamed = [
            str(element) for element in self.browser.window.descendants()
            if element.role in ("push button", "toggle button", "entry", "list", "tree table", "page tab")
            and (not element.name or element.name.startswith("Gtk"))
            and element.name not in ("GtkColumnListView", "GtkListBox")
        ]
        self.assertEqual(unnamed, [])


class EmptyTest(BrowserTest):
    documents = {}

    def test_an_empty_folder_says_so_and_fills(self):
        browser = self.open()
        wait_for(lambda: browser.window.find("Folder Is Empty"), "it says that the folder is empty")
        (self.folder / "first.txt").write_text("One")
        browser.wait_for_row("first.txt")
        os.unlink(self.folder / "first.txt")
        browser.wait_for_no_row("first.txt")


if __name__ == "__main__":
    import unittest

    unittest.main()
