"""The panes tell what happened to whom, while the app runs and while it does not."""

import programs
from browser import Browser
from driver import press, wait_for
from fixture import BrowserTest


class ActivityTest(BrowserTest):
    def setUp(self):
        super().setUp()
        self.browser = self.open()
        self.browser.wait_for_row("draft.txt")

    def test_what_other_programs_do(self):
        self.browser.show_page("Activity")
        programs.run("mv", self.folder / "draft.txt", self.folder / "report.txt")
        self.browser.wait_for_sentence("report.txt was renamed from draft.txt by another program")
        programs.save_with_vim(self.folder / "report.txt", "Yours, Charles")
        self.browser.wait_for_sentence("report.txt was renamed from draft.txt and saved by another program")
        programs.run("cp", "--preserve=all", self.folder / "plan.txt", self.folder / "Letters/plan.txt")
        self.browser.wait_for_sentence("plan.txt is a copy of plan.txt in Documents")
        programs.run("mkdir", self.folder / "Photos")
        for number in range(12):
            (self.folder / f"Photos/{number}.jpg").write_bytes(b"")
        self.browser.wait_for_sentence("Photos was added by another program, with 12 items in it")
        programs.trash(self.folder / "report.txt")
        self.browser.wait_for_sentence("report.txt was .*moved to the trash by another program")

    def test_what_happened_while_away(self):
        self.browser.quit()
        programs.run("mv", self.folder / "draft.txt", self.folder / "Letters/report.txt")
        programs.save_with_vim(self.folder / "plan.txt", "Three")
        with Browser(self.folder) as browser:
            away = "While you were away"
            browser.wait_for_sentence("report.txt was moved from Documents to Letters and renamed from draft.txt", away)
            browser.wait_for_sentence("plan.txt was changed", away)
            browser.quit()
        # It is told once.
        with Browser(self.folder) as browser:
            browser.wait_for_row("plan.txt")
            self.assertEqual(browser.sentences(away), [])

    def test_what_the_app_does_is_not_told_as_another_programs(self):
        self.browser.show_page("Activity")
        self.browser.select("draft.txt")
        press("ctrl+d")
        wait_for(lambda: len(self.browser.rows) == 4, "there is a copy")
        self.browser.wait_for_sentence("draft.* is a copy of draft.txt")


if __name__ == "__main__":
    import unittest

    unittest.main()
