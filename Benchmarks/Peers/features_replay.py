"""What a reader knows who has a list of all names, and applies to it what a program tells, as its documentation says it is meant."""

from dataclasses import dataclass


@dataclass
class Event:
    """What a line says, in the words of all programs: create, delete, rename, copy, link, modify, complete, overflow, or else told.

    `from_half` and `to_half` are the halves of a rename, which the same cookie pairs.
    """

    kind: str
    path: str = ""
    second: object = None  # the new name of a rename, the cookie of a half, the original of a copy
    time: float = 0
    words: str = ""


class Tree:
    """Names and, for each, a document: what it was at first; none for what is new. Folders move with all that is in them."""

    def __init__(self, documents):
        self.top = [None, {}]
        for name, document in sorted(documents.items()):
            self.put([document, {}], name)

    def place(self, path, makes_folders):
        *folders, name = path.split("/")
        node = self.top
        for folder in folders:
            if folder not in node[1] and not makes_folders:
                return {}, name
            node = node[1].setdefault(folder, [None, {}])
        return node[1], name

    def __contains__(self, path):
        names, name = self.place(path, False)
        return name in names

    def take(self, path):
        """Takes out a name with all that is below, if it is there."""
        names, name = self.place(path, False)
        return names.pop(name, None)

    def put(self, node, path):
        names, name = self.place(path, True)
        names[name] = node

    def add(self, path, document=None):
        if path not in self:
            self.put([document, {}], path)

    def document(self, path):
        names, name = self.place(path, False)
        return names.get(name, [None])[0]

    def documents(self):
        """All names with their documents."""
        pairs, folders = {}, [("", self.top)]
        while folders:
            path, (_, names) = folders.pop()
            for name, node in names.items():
                pairs[path + name] = node[0]
                folders.append((path + name + "/", node))
        return pairs


class Replay:
    """What the events of a program make of the list of its reader."""

    def __init__(self, names):
        self.tree = Tree({name: name for name in names})
        self.halves = {}
        self.copies = {}

    def apply(self, event):
        getattr(self, event.kind, self.ignore)(event)

    def ignore(self, event):
        pass

    def create(self, event):
        """Whoever hears of an unknown file knows then that there is one, whatever is said of it."""
        self.tree.add(event.path)

    link = modify = complete = create

    def delete(self, event):
        self.tree.take(event.path)

    def rename(self, event):
        node = self.tree.take(event.path)
        if node or event.second not in self.tree:  # else it has moved already, with a folder
            self.tree.put(node or [None, {}], event.second)

    def from_half(self, event):
        self.halves[event.second] = self.tree.take(event.path)

    def to_half(self, event):
        self.tree.put(self.halves.pop(event.second, None) or [None, {}], event.path)

    def copy(self, event):
        self.create(event)
        self.copies[event.path] = event.second


def known(tree):
    """The documents of before that a tree still has, by their names."""
    return {name: document for name, document in tree.items() if document is not None}
