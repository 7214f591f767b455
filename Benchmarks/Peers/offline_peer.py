"""A program that can say what has happened while it, or the program that asks it, did not run.

It notes what is in some folders (`remember`), and says later what is another (`tell`): a list of lines for each folder. All lines are
the program's own words in a short form. What it says of a folder only because names in it came and went is left out.
"""

import ctypes
import shutil
import signal
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent


def output(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options).stdout


def end_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Installed:
    """Something that a program does, which may not be installed."""

    program = ""  # its name, or its path

    @classmethod
    def is_there(cls):
        return shutil.which(cls.program) is not None


class Peer(Installed):
    """One column of the table."""

    def __init__(self, state):
        self.state = state

    def remember(self, folders):
        for folder in folders:
            self.remember_one(folder)

    def tell(self, folders):
        return [self.tell_one(folder) for folder in folders]

    def close(self):
        pass
