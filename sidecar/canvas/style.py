"""How a canvas is laid out as text, seen from the text itself, and how new objects are written so (contract J2)."""

import json
import math
import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

from sidecar.canvas.source import ARRAYS, Slot, Source
from sidecar.model.note import Json

__all__ = ["OBSIDIAN", "Form", "Style", "encode", "style_of"]

_OPENING = re.compile(r'\{(\s*)("(?:[^"\\]|\\.)*")(\s*:\s*)')
_ESCAPED_LETTER = re.compile(r"\\u(?!00[01])[0-9a-fA-F]{4}")
_SURROGATE = re.compile("[\ud800-\udfff]")


class Form(Enum):
    """Which objects and arrays are broken over lines."""

    FLAT = "none"
    LEAF = "those that hold others"
    DEEP = "all"


@dataclass(frozen=True, slots=True)
class Style:
    """The look of a document: breaks, indentation, and the space around its signs."""

    form: Form = Form.LEAF
    newline: str = "\n"
    unit: str = "\t"
    comma: str = ","
    colon: str = ":"
    pad: str = ""
    """Between the braces and what they hold, on one line."""
    ascii: bool = False
    """Whether letters beyond ASCII are escaped."""


OBSIDIAN: Final = Style()
"""What Obsidian writes: tabs, an object a line, nothing around the signs, letters as they are."""


def encode(value: Json, style: Style, indent: str) -> str:
    """Write a value whose own line is indented by ``indent``."""
    inner = indent + style.unit
    if isinstance(value, dict):
        parts = [f"{_scalar(key, style)}{style.colon}{encode(child, style, inner)}" for key, child in value.items()]
        return _bracket("{}", parts, style, indent, broken=_is_broken(list(value.values()), style))
    if isinstance(value, list):
        parts = [encode(child, style, inner) for child in value]
        return _bracket("[]", parts, style, indent, broken=_is_broken(value, style))
    return _scalar(value, style)


def _is_broken(children: list[Json], style: Style) -> bool:
    if style.form is Form.LEAF:
        return any(isinstance(child, dict | list) for child in children)
    return style.form is Form.DEEP


def _bracket(brackets: str, parts: list[str], style: Style, indent: str, *, broken: bool) -> str:
    if not parts:
        return brackets
    if broken:
        lead = f"{style.newline}{indent}{style.unit}"
        return f"{brackets[0]}{lead}{f',{lead}'.join(parts)}{style.newline}{indent}{brackets[1]}"
    return f"{brackets[0]}{style.pad}{style.comma.join(parts)}{style.pad}{brackets[1]}"


def _scalar(value: Json, style: Style) -> str:
    if isinstance(value, str):
        # A lone surrogate has no bytes of its own in UTF-8.
        return json.dumps(value, ensure_ascii=style.ascii or _SURROGATE.search(value) is not None)
    if isinstance(value, float) and not math.isfinite(value):
        # A number beyond a double's range was read as infinite; JSON can hold it, but not the word.
        return "null" if math.isnan(value) else "1e999" if value > 0 else "-1e999"
    return json.dumps(value)


def style_of(source: Source) -> Style:
    """See how a document with at least one member is written; what it does not show follows Obsidian's form."""
    text = source.text
    first = source.members[0]
    lead = text[source.start + 1 : first.start]
    unit = lead.rpartition("\n")[2] if "\n" in lead else ""
    style = Style(
        form=Form.LEAF if "\n" in lead else Form.FLAT,
        newline="\r\n" if "\r\n" in text else "\n",
        unit=unit or OBSIDIAN.unit,
        ascii=text.isascii() and _ESCAPED_LETTER.search(text) is not None,
    )
    sample = _sample(source)
    return _with_sample(style, source, sample) if sample else _with_root(style, source)


def _sample(source: Source) -> Slot | None:
    """Choose the object that shows the style best: one without objects of its own."""
    objects = [
        slot for array in ARRAYS for slot in source.items(array) if slot.content and isinstance(slot.content, dict)
    ]
    return next((slot for slot in objects if not _holds_others(slot)), objects[0] if objects else None)


def _holds_others(slot: Slot) -> bool:
    return isinstance(slot.content, dict) and any(isinstance(child, dict | list) for child in slot.content.values())


def _with_sample(style: Style, source: Source, sample: Slot) -> Style:
    opening = _OPENING.match(source.text, sample.start)
    if opening is None:
        return style
    pad, _, colon = opening.groups()
    broken = "\n" in pad
    form = style.form
    if broken and (not _holds_others(sample) or colon != ":"):
        form = Form.DEEP
    _, end = json.JSONDecoder().raw_decode(source.text, opening.end())
    comma = re.compile(r"\s*,\s*").match(source.text, end)
    spaced = ", " if colon.endswith(" ") else ","
    return Style(
        form=form,
        newline=style.newline,
        unit=style.unit,
        comma=comma[0] if comma and "\n" not in comma[0] else spaced,
        colon=colon if "\n" not in colon else ":",
        pad="" if broken else pad,
        ascii=style.ascii,
    )


def _with_root(style: Style, source: Source) -> Style:
    first = source.members[0]
    colon = source.text[first.start : first.value].rpartition('"')[2]
    if not colon.endswith(" "):
        return style
    form = Form.DEEP if style.form is Form.LEAF else Form.FLAT
    return Style(form, style.newline, style.unit, ", ", ": ", "", style.ascii)
