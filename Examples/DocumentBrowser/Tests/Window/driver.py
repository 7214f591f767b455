"""Finds what a screen reader finds, and does what a person does with a keyboard and a mouse.

Nothing is awaited by time: `wait_for` asks for a condition until it holds, or until a deadline.
"""

import subprocess
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

DEADLINE = 20


class NotYet(Exception):
    """Something that is looked for is not there, perhaps not yet."""


def wait_for(condition, what, deadline=DEADLINE):
    """Calls a function until its result is true, and returns that.

    A window that is being changed may be gone while it is asked: then it is asked again. What is waited for is a text, or a
    function that makes one when the wait has failed.
    """
    end = time.monotonic() + deadline
    problem = None
    while True:
        try:
            result = condition()
            if result:
                return result
            problem = None
        except (GLib.Error, NotYet) as error:
            problem = error
        if time.monotonic() > end:
            text = what() if callable(what) else what
            raise AssertionError(f"not within {deadline} s: {text}" + (f" ({problem})" if problem else ""))
        time.sleep(0.03)


class Element:
    """One object of the accessibility tree."""

    def __init__(self, node):
        self.node = node

    # What a screen reader says.

    @property
    def name(self):
        return self.node.get_name()

    @property
    def role(self):
        return self.node.get_role_name()

    @property
    def process(self):
        """The number of its process; `None` if that is ending."""
        try:
            return self.node.get_process_id()
        except GLib.Error:
            return None

    @property
    def description(self):
        return self.node.get_description()

    @property
    def text(self):
        text = self.node.get_text_iface()
        return text.get_text(0, text.get_character_count()) if text else self.name

    def has(self, *states):
        actual = self.node.get_state_set()
        return all(actual.contains(getattr(Atspi.StateType, state.upper())) for state in states)

    # Where it is.

    @property
    def children(self):
        return [Element(child) for child in self._child_nodes()]

    def _child_nodes(self):
        for index in range(self.node.get_child_count()):
            child = self.node.get_child_at_index(index)
            if child is not None:
                yield child

    def descendants(self, visible=True):
        """Everything below, the parents first; by default without what is hidden."""
        for child in self.children:
            if visible and not child.has("visible"):
                continue
            yield child
            yield from child.descendants(visible)

    def find(self, name=None, role=None, where=None, visible=True):
        for element in self.descendants(visible):
            if name is not None and element.name != name:
                continue
            if role is not None and element.role != role:
                continue
            if where is None or where(element):
                return element
        raise NotYet(f"no {role or 'element'} {name or ''} in {self}")

    def box(self):
        """Left, top, width and height in the window: GTK does not know where that is on the screen."""
        area = self.node.get_component_iface().get_extents(Atspi.CoordType.WINDOW)
        return area.x, area.y, area.width, area.height

    # What a person does.

    def click(self, button=1, times=1):
        left, top, width, height = self.box()
        if width <= 0 or height <= 0:
            raise NotYet(f"{self} has no size")
        pointer(left + width // 2, top + height // 2, button, times)

    def act(self):
        """Does what a click would do, without a pointer."""
        action = self.node.get_action_iface()
        if action is None or action.get_n_actions() == 0 or not action.do_action(0):
            raise NotYet(f"{self} does nothing")

    def write(self, text):
        self.node.get_editable_text_iface().set_text_contents(text)

    def __str__(self):
        return f"{self.role} “{self.name}”"

    def tree(self, depth=0, visible=True):
        """All that is below, as lines of text, for a test that failed."""
        lines = [f"{'  ' * depth}{self} {self.description!r}"]
        for child in self.children:
            if not visible or child.has("visible"):
                lines.append(child.tree(depth + 1, visible))
        return "\n".join(lines)


# GTK 4 has no cache of objects that libatspi asks for; it says so each time.
GLib.log_set_handler("dbind", GLib.LogLevelFlags.LEVEL_WARNING, lambda *message: None)


def applications():
    """The applications that a screen reader sees."""
    Atspi.init()
    Atspi.set_timeout(5000, 10000)
    return Element(Atspi.get_desktop(0)).children


def press(*keys):
    """Presses keys, each as in `ctrl+d`."""
    subprocess.run(["xdotool", "key", "--clearmodifiers", *keys], check=True)


def type_text(text):
    subprocess.run(["xdotool", "type", "--clearmodifiers", "--delay", "1", text], check=True)


def pointer(x, y, button=1, times=1):
    subprocess.run(
        ["xdotool", "mousemove", str(x), str(y), "click", "--repeat", str(times), "--delay", "60", str(button)],
        check=True)
