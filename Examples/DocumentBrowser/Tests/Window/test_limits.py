"""What keeps the app from knowing or keeping something is told in a bar, with what to do."""

from driver import NotYet, wait_for
from fixture import BrowserTest


class LimitsTest(BrowserTest):
    def test_what_cannot_be_kept_is_told_and_dismissed(self):
        # Where its folder should be, there is a file.
        place = self.home / "state"
        place.write_text("")
        self.addCleanup(place.unlink)
        browser = self.open(environment={"XDG_STATE_HOME": str(place)})
        browser.wait_for_row("draft.txt")
        wait_for(lambda: self.has_bar(browser), "there is a bar")
        browser.window.find(role="label", where=lambda label: "cannot be made" in label.name)
        # Meanwhile it can be used.
        browser.mark("draft.txt", "yellow", "For now")
        browser.window.find("Dismiss", role="push button").act()
        wait_for(lambda: not self.has_bar(browser), "the bar is gone")

    def has_bar(self, browser):
        """While it comes and goes, the bar is behind the header."""
        try:
            return browser.window.find("Dismiss", role="push button").box()[1] > 40
        except NotYet:
            return False


if __name__ == "__main__":
    import unittest

    unittest.main()
