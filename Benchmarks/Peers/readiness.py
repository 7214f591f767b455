"""For watchers that do not say when they are ready: a file is touched until they tell of that."""

import os
import threading
import time


def probe(folder):
    """Begins to touch a file, until the event that it gives is set."""
    is_seen = threading.Event()
    threading.Thread(target=touch, args=(os.path.join(folder, ".probe"), is_seen), daemon=True).start()
    return is_seen


def touch(path, is_seen):
    while not is_seen.is_set():
        with open(path, "a") as file:
            file.write(".")
        time.sleep(0.01)
    os.unlink(path)
