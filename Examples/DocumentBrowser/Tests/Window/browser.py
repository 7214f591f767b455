"""The app as a person knows it: its documents, and what one does with them."""

import os
import re
import signal
import subprocess
import sys

from desktop import describe_threads
from driver import NotYet, applications, press, wait_for


class Row:
    """What a row of the table says of a document."""

    def __init__(self, element):
        self.element = element
        self.name = element.name
        self.facts = [fact.strip().lower() for fact in element.description.split(",")]
        self.is_selected = element.has("selected")
        self.texts = [child.text for child in element.descendants() if child.role == "label"]

    @property
    def is_favourite(self):
        return "favourite" in self.facts

    @property
    def label(self):
        return next((fact.removeprefix("label ") for fact in self.facts if fact.startswith("label ")), None)

    @property
    def has_note(self):
        return "with a note" in self.facts

    @property
    def is_copying(self):
        return any(fact.startswith("copying") for fact in self.facts)

    def __str__(self):
        return ", ".join([f"{self.name}: {self.texts}", *self.facts] + ["selected"] * self.is_selected)


class Browser:
    """A run of the app."""

    def __init__(self, folder, *options, style=None, environment=None):
        environment = {**os.environ, **(environment or {})}
        if style:
            environment["ADW_DEBUG_COLOR_SCHEME"] = f"prefer-{style}"
        self.command = [os.environ["BROWSER_PROGRAM"], *options, *([str(folder)] if folder else [])]
        self.environment = environment
        self.window = self._start() or self._start()
        assert self.window, "a screen reader does not find the window that is on the display"

    def _start(self):
        """Starts the program, and returns its window as a screen reader finds it.

        GTK registers with the accessibility bus once. If that fails on a busy machine, the window is on the display and in no tree:
        the result is `None` then. A window that is on no display is a failure of the program.
        """
        self.process = subprocess.Popen(self.command, env=self.environment, stdout=subprocess.PIPE, text=True)
        try:
            return wait_for(self._find_window, "the window is there", deadline=60)
        except AssertionError as error:
            shown, threads = self._is_on_display(), describe_threads(self.process.pid)
            self.end()
            if not shown:
                raise AssertionError(f"{error}\n{threads}") from None
            print(f"{error}: it is on the display, and is started once more", file=sys.stderr)

    def _is_on_display(self):
        search = ["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)]
        return subprocess.run(search, stdout=subprocess.DEVNULL).returncode == 0

    def _find_window(self):
        if self.process.poll() is not None:
            raise AssertionError(f"the app ended with {self.process.returncode}")
        for application in applications():
            if application.process == self.process.pid:
                for window in application.children:
                    if window.role == "frame":
                        return window
        raise NotYet("no window")

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.end()

    def quit(self):
        """Closes the window as a person does; the program ends by itself."""
        press("ctrl+q")
        status = self.process.wait(timeout=20)
        assert status == 0, f"the app ended with {status}"

    def end(self):
        """Ends the program, whatever it does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        self.process.stdout.close()

    # MARK: Documents

    @property
    def table(self):
        return self.window.find("Documents", role="tree table")

    @property
    def rows(self):
        # The first child of the table is its header.
        return [Row(row) for row in self.table.children[-1].children if row.has("visible") and row.name != row.role]

    def row(self, name):
        for element in self.table.children[-1].children:
            if element.name == name:
                return Row(element)
        raise NotYet(f"no row {name}")

    def wait_for_row(self, name, condition=lambda row: True, what="is there", deadline=20):
        seen = []

        def look():
            row = self.row(name)
            seen[:] = [str(row)]
            return row if condition(row) else None

        try:
            return wait_for(look, f"{name} {what}", deadline)
        except AssertionError as error:
            raise AssertionError(f"{error}; it says: {seen}") from None

    def wait_for_no_row(self, name):
        wait_for(lambda: all(row.name != name for row in self.rows), f"{name} is gone")

    def select(self, name):
        """Selects a document in sight as a person does; its details are shown then."""
        def click():
            self.row(name).element.children[0].click()
            return True

        wait_for(click, f"the row of {name} can be clicked")
        return self.wait_for_row(name, lambda row: row.is_selected, "is selected")

    @property
    def selected(self):
        return [row.name for row in self.rows if row.is_selected]

    # MARK: Details

    @property
    def note(self):
        return self.window.find("Note", role="text")

    def mark(self, name, label, note):
        """Makes a document a favourite with a label and a note."""
        self.select(name)
        self.show_page("Details")
        press("ctrl+b")
        self.wait_for_row(name, lambda row: row.is_favourite, "is a favourite")
        wait_for(lambda: self._press_label(label), f"the button of the label {label}")
        self.wait_for_row(name, lambda row: row.label == label, f"has the label {label}")
        self.note.write(note)
        self.wait_for_row(name, lambda row: row.has_note, "has a note")

    def _press_label(self, label):
        self.window.find(f"Label {label}", role="push button").act()
        return True

    # MARK: Panes

    def show_page(self, title):
        """Shows a page of the pane beside the table: `Details` or `Activity`."""
        tab = wait_for(lambda: self.window.find(title, role="page tab"), f"the page {title}")
        if not tab.has("selected"):
            wait_for(lambda: tab.click() or True, f"the page {title} can be clicked")

    def sentences(self, pane="Activity"):
        """What the list of what happened says; `While you were away` is the other list."""
        try:
            pane = self.window.find(pane, role="list", visible=False)
        except NotYet:
            return []
        return [row.name for row in pane.children]

    def wait_for_sentence(self, sentence, pane="Activity", deadline=20):
        """Waits for a sentence, which is a regular expression."""
        seen = []

        def look():
            seen[:] = self.sentences(pane)
            return any(re.fullmatch(sentence, other) for other in seen)

        try:
            wait_for(look, f"“{sentence}” is told in {pane}", deadline)
        except AssertionError as error:
            raise AssertionError(f"{error}; told is: {seen}") from None

    def toast(self, text):
        return wait_for(lambda: self.window.find(where=lambda element: text in element.name), f"the toast “{text}”")
