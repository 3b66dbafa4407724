"""Where each part of a canvas stands in the text it was read from, so that writing can leave the rest alone."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NoReturn, cast

from sidecar.errors import Invalid
from sidecar.model.note import Json

__all__ = ["ARRAYS", "NotACanvas", "Slot", "Source", "scan"]

ARRAYS: Final = ("nodes", "edges")
_SPACE = re.compile(r"[ \t\n\r]*")
_SAFE_DIGITS = 4000  # Python refuses to read longer whole numbers


class NotACanvas(Invalid):
    """The text is not one JSON object; ``data["line"]`` is where reading stopped."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(
            f"The canvas cannot be read: {reason} (line {line}).",
            hint="Repair the JSON of the file first; until then it is left as it is.",
            data={"line": line},
        )
        self.line = line


@dataclass(frozen=True, slots=True)
class Slot:
    """One member of the root object, or one element of ``nodes`` or ``edges``: ``text[start:end]``."""

    start: int
    end: int
    content: Json
    key: str = ""
    """The member's name; ``""`` for an element."""
    value: int = 0
    """Where a member's value starts."""
    items: tuple["Slot", ...] | None = None
    """The elements, when this is the member ``nodes`` or ``edges`` and holds an array."""


@dataclass(frozen=True)
class Source:
    """A canvas as it was read; ``text[start:end]`` is the root object (the whole text when it is blank)."""

    text: str
    start: int
    end: int
    members: tuple[Slot, ...]

    @cached_property
    def live(self) -> Mapping[str, Slot]:
        """The members that count: of equal names the last, as in JavaScript."""
        return {slot.key: slot for slot in self.members}

    def items(self, array: str) -> tuple[Slot, ...]:
        """Return the elements of ``nodes`` or ``edges``."""
        slot = self.live.get(array)
        return (slot.items or ()) if slot else ()

    def lines(self, array: str) -> tuple[int, ...]:
        """Return the line on which each element starts."""
        line, seen, found = 1, 0, []
        for slot in self.items(array):
            line += self.text.count("\n", seen, slot.start)
            seen = slot.start
            found.append(line)
        return tuple(found)


def scan(text: str) -> Source:
    """Read a canvas and note where its parts stand; blank text is an empty canvas (J1).

    Raises:
        NotACanvas: when the text is not valid JSON, or its root is not an object.

    """
    reader = _Reader(text)
    if reader.peek() == "":
        return Source(text, 0, len(text), ())
    start = reader.at
    if reader.peek() != "{":
        reader.value()
        reader.fail_if(reader.peek() != "", "there is more text behind its end")
        raise NotACanvas("its root is not an object", _line(text, start))
    members = tuple(_members(reader))
    end = reader.at
    reader.fail_if(reader.peek() != "", "there is more text behind its end")
    return Source(text, start, end, members)


def _members(reader: "_Reader") -> Iterator[Slot]:
    reader.expect("{")
    first = True
    while reader.has_next("}", first=first):
        first = False
        start = reader.at
        reader.fail_if(reader.peek() != '"', "a name in double quotes is expected")
        key = str(reader.value())
        reader.expect(":")
        if reader.peek() == "[" and key in ARRAYS:
            value = reader.at
            items = tuple(_items(reader))
            yield Slot(start, reader.at, [item.content for item in items], key, value, items)
        else:
            value = reader.at
            content = reader.value()
            yield Slot(start, reader.at, content, key, value)


def _items(reader: "_Reader") -> Iterator[Slot]:
    reader.expect("[")
    first = True
    while reader.has_next("]", first=first):
        first = False
        start = reader.at
        content = reader.value()
        yield Slot(start, reader.at, content)


class _Reader:
    """A place in a JSON text that only moves forward."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def peek(self) -> str:
        """Skip white space and return the next character, ``""`` at the end."""
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        return self.text[self.at : self.at + 1]

    def fail_if(self, fault: object, reason: str) -> None:
        if fault:
            raise NotACanvas(reason, _line(self.text, self.at))

    def expect(self, char: str) -> None:
        self.fail_if(self.peek() != char, f"'{char}' is expected")
        self.at += 1

    def has_next(self, closing: str, *, first: bool) -> bool:
        """Step over a comma to the next element, or over the closing bracket."""
        char = self.peek()
        if char == closing:
            self.at += 1
            return False
        if not first:
            self.fail_if(char != ",", f"a comma or '{closing}' is expected")
            self.at += 1
            self.peek()
        return True

    def value(self) -> Json:
        self.peek()
        try:
            content, self.at = _DECODER.raw_decode(self.text, self.at)
        except json.JSONDecodeError as error:
            raise NotACanvas(error.msg[:1].lower() + error.msg[1:], error.lineno) from error
        except RecursionError as error:
            raise NotACanvas("it is nested too deeply", _line(self.text, self.at)) from error
        except ValueError as error:
            raise NotACanvas(str(error), _line(self.text, self.at)) from error
        return cast("Json", content)


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _whole_number(digits: str) -> int | float:
    return int(digits) if len(digits) < _SAFE_DIGITS else float(digits)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


_DECODER = json.JSONDecoder(parse_int=_whole_number, parse_constant=_no_number)
