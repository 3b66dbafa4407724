"""List items with a checkbox (contract B25)."""

import re

from sidecar.model.note import Task
from sidecar.parse.scanner import Item

__all__ = ["tasks_of"]

_CHECKBOX = re.compile(r"\[([^\[\]\r\n])\](?=\s|\Z)")


def tasks_of(text: str, items: list[Item]) -> tuple[Task, ...]:
    """Return the tasks among the list items of a text: one character between brackets, whichever it is."""
    tasks = []
    for item in items:
        if text.startswith("[", item.start) and (box := _CHECKBOX.match(text, item.start, item.end)):
            said = text[box.end() : item.end].strip()
            tasks.append(Task(box[1], said, item.line, item.parent, item.heading))
    return tuple(tasks)
