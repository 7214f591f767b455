"""Real programs that work in the folder, as a person uses them."""

import json
import os
import shutil
import subprocess
import time
from importlib.util import find_spec
from pathlib import Path

from driver import NotYet, wait_for

# Both are there, or what LibreOffice did is done again from a recording.
LIBREOFFICE = shutil.which("soffice") if find_spec("uno") else None

def run(*command, **options):
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL, **options)


def save_with_vim(path, line):
    """Adds a line and saves, with vim as it comes."""
    run("vim", "-u", "NONE", "-N", "-es", "-c", f"$put ='{line}'", "-c", "wq", path)


def save_with_sed(path, old, new):
    run("sed", "-i", f"s/{old}/{new}/", path)


def trash(path):
    run("gio", "trash", path)


def restore(name):
    """Takes the item with this name out of the trash, as a file manager does."""
    listing = subprocess.run(["gio", "trash", "--list"], check=True, capture_output=True, text=True).stdout
    items = [line.split("\t")[0] for line in listing.splitlines() if line.split("\t")[0].endswith("/" + name)]
    assert len(items) == 1, f"of {name} there are in the trash: {items}"
    run("gio", "trash", "--restore", items[0])


# MARK: LibreOffice

def make_odt(path):
    """Makes a small text document."""
    if LIBREOFFICE:
        source = Path(path).with_suffix(".fodt")
        source.write_text(FLAT_DOCUMENT)
        run(LIBREOFFICE, *office_profile(), "--headless", "--convert-to", "odt", "--outdir", source.parent, source,
            stderr=subprocess.DEVNULL)
        source.unlink()
    else:
        Path(path).write_bytes(os.urandom(10701))


def save_with_libreoffice(path):
    """Opens a document in LibreOffice, writes a word, and saves it.

    Where LibreOffice is not installed, what it did to its files when that was recorded is done again.

    Returns: `LibreOffice`, or `the recording of LibreOffice`.
    """
    if LIBREOFFICE:
        save_with_office(path)
        return "LibreOffice"
    replay_office(path)
    return "the recording of LibreOffice"


def office_profile():
    return [f"-env:UserInstallation=file://{os.environ['HOME']}/office"]


def save_with_office(path):
    import uno
    from com.sun.star.beans import PropertyValue
    from com.sun.star.connection import NoConnectException

    pipe = f"browser{os.getpid()}"
    office = subprocess.Popen(
        [LIBREOFFICE, *office_profile(), "--headless", "--norestore", f"--accept=pipe,name={pipe};urp"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    resolver = uno.getComponentContext().ServiceManager.createInstance("com.sun.star.bridge.UnoUrlResolver")

    def connect():
        try:
            return resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
        except NoConnectException as error:
            raise NotYet(error) from None

    context = wait_for(connect, "LibreOffice answers", 60)
    desktop = context.ServiceManager.createInstance("com.sun.star.frame.Desktop")
    hidden = PropertyValue(Name="Hidden", Value=True)
    document = desktop.loadComponentFromURL(f"file://{path}", "_blank", 0, (hidden,))
    document.Text.End.String = "Yours, Charles"
    document.store()
    document.close(True)
    desktop.terminate()
    office.wait()


FLAT_DOCUMENT = """<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.3"
 office:mimetype="application/vnd.oasis.opendocument.text">
 <office:body><office:text><text:p>Dear Ada</text:p></office:text></office:body>
</office:document>
"""


def replay_office(path):
    path = Path(path)
    folder = path.parent
    corpus = Path(__file__).resolve().parents[4] / "Tests/Corpus/Recordings/libreoffice-writer-odt-save.json"
    recording = json.loads(corpus.read_text())
    document = recording["truth"]["document"]
    place = lambda name: folder / name.replace(document, path.name)  # noqa: E731
    files = {}
    start = time.monotonic()
    for step in recording["operations"]:
        # At the time at which LibreOffice did it: how long its temporary files stand matters.
        time.sleep(max(0, step["ms"] / 1000 - (time.monotonic() - start)))
        target = place(step["path"])
        match step["op"]:
            case "create" | "open":
                files[step["path"]] = os.open(target, os.O_RDWR | os.O_CREAT, 0o600)
            case "write":
                os.pwrite(files[step["path"]], os.urandom(step["size"]), 0)
                os.ftruncate(files[step["path"]], step["size"])
            case "close":
                os.close(files.pop(step["path"]))
            case "rename":
                os.rename(target, place(step["to"]))
            case "chmod":
                os.chmod(target, int(step["mode"], 8))
            case "unlink":
                os.unlink(target)
