"""A desktop of its own for the app: folders, a display, and pictures of it. Nothing of the person's is touched."""

import os
import shutil
import struct
import subprocess
import tempfile
import zlib
from pathlib import Path

WIDTH, HEIGHT = 1280, 800


class Desktop:
    """The folders and the environment; the display runs from `start` to `stop`."""

    def __init__(self):
        # Not in /tmp: editors save differently there.
        parent = os.environ.get("FSO_TEST_DIR", "/var/tmp")
        self.folder = Path(tempfile.mkdtemp(prefix="browser-window.", dir=parent))
        for name in ["home", "run", "data", "state", "config", "cache", "frame"]:
            (self.folder / name).mkdir(mode=0o700)
        # The letters of GNOME: no service of a desktop says which.
        settings = self.folder / "config/gtk-4.0/settings.ini"
        settings.parent.mkdir()
        settings.write_text("[Settings]\ngtk-font-name=Cantarell 11\n")
        self.server = None

    @property
    def home(self):
        return self.folder / "home"

    @property
    def environment(self):
        environment = dict(os.environ)
        for name in ["WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS", "XAUTHORITY"]:
            environment.pop(name, None)
        environment.update(
            HOME=str(self.home),
            XDG_RUNTIME_DIR=str(self.folder / "run"),
            XDG_DATA_HOME=str(self.folder / "data"),
            XDG_STATE_HOME=str(self.folder / "state"),
            XDG_CONFIG_HOME=str(self.folder / "config"),
            XDG_CACHE_HOME=str(self.folder / "cache"),
            BROWSER_DESKTOP=str(self.folder),
            LANG="C.UTF-8",
            LC_ALL="C.UTF-8",
            TZ="UTC",
            GDK_BACKEND="x11",
            # Drawn by the processor: a display without a screen has no other.
            GSK_RENDERER="cairo",
            GTK_A11Y="atspi",
            # What is asked of the window is asked of the window: libatspi remembers children that are gone.
            ATSPI_NO_CACHE="1",
            GSETTINGS_BACKEND="memory",
            # No file system is mounted.
            GVFS_DISABLE_FUSE="1",
            PYTHONDONTWRITEBYTECODE="1",
        )
        return environment

    def start(self):
        """Starts the display, and returns its name; a program on it needs `environment`, too."""
        reading, writing = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp",
             # By default the server forgets everything when its last program ends.
             "-noreset",
             "-fbdir", str(self.folder / "frame"), "-dpi", "96"],
            pass_fds=[writing], stderr=subprocess.DEVNULL)
        os.close(writing)
        # The server writes the number when it takes connections, and nothing if it fails.
        with os.fdopen(reading) as answer:
            number = answer.readline().strip()
        if not number:
            raise RuntimeError("Xvfb did not start")
        return f":{number}"

    def stop(self):
        if self.server:
            self.server.terminate()
            self.server.wait()

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def leftovers(self):
        """What still runs of all that was started here, as lines of text by process."""
        mark = f"BROWSER_DESKTOP={self.folder}".encode()
        processes = {}
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    processes[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                # It has ended meanwhile, or is another's.
                continue
        return processes


def describe_threads(process):
    """What each thread of a process does, for a test that waited for it in vain."""
    lines = []
    for thread in sorted(Path(f"/proc/{process}/task").glob("*")):
        try:
            name, state = (thread / "comm").read_text().strip(), (thread / "stat").read_text().rpartition(")")[2].split()[0]
            lines.append(f"thread {thread.name} {name}: {state}, waits in {(thread / 'wchan').read_text()}")
        except OSError:
            # It has ended meanwhile.
            continue
    return "\n".join(lines)


def save_screen(path, box=(0, 0, WIDTH, HEIGHT)):
    """Writes a part of the display, of which Xvfb keeps the contents in a file (XWD), as a PNG.

    box: left, top, width, height.
    """
    data = (Path(os.environ["BROWSER_DESKTOP"]) / "frame/Xvfb_screen0").read_bytes()
    header = struct.unpack(">25I", data[:100])
    size, colours = header[0], header[19]
    row_bytes = header[12]
    pixels = memoryview(data)[size + colours * 12:]
    left, top, width, height = box
    rows = []
    for y in range(top, top + height):
        row = pixels[y * row_bytes + left * 4:y * row_bytes + (left + width) * 4]
        line = bytearray(width * 3)
        # Little-endian: blue, green, red, nothing.
        line[0::3], line[1::3], line[2::3] = row[2::4], row[1::4], row[0::4]
        rows.append(bytes(line))
    write_png(path, width, height, rows)


def write_png(path, width, height, rows):
    """Writes a picture of red, green and blue, of 8 bits each."""

    def chunk(kind, contents):
        return struct.pack(">I", len(contents)) + kind + contents + struct.pack(">I", zlib.crc32(kind + contents))

    Path(path).write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows), 9)) + chunk(b"IEND", b""))
