"""Plain values to YAML text, written as Obsidian writes properties (contract Y5)."""

import re
from collections.abc import Mapping

from sidecar.model.note import Json
from sidecar.parse.yaml_core import number_text, resolve_plain

__all__ = ["dump_entry", "dump_flow", "dump_item", "dump_mapping", "dump_value"]

_INDENT = "  "
# What would end an unquoted text or begin something else. JavaScript's own words (`yes`, dates, `12:30`) stay plain.
_NOT_PLAIN = re.compile(r"""[\s,\[\]{}#&*!|>'"%@`]|[-?](?:[ \t]|$)|.*(?:[\n\t ]#|:[ \t]|[:\s]$)""", re.DOTALL)
_NOT_PLAIN_IN_FLOW = re.compile(r"[\[\]{},?]|^[-:]|:$")
_MARKER = re.compile(r"---|\.\.\.")
# Line breaks of other worlds, controls and the BOM are safe only as escapes.
_ESCAPED = re.compile("[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_SHORT_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_BLANK_LAST_LINE = re.compile(r"\n[ \t]+\Z")


def dump_mapping(mapping: Mapping[str, Json]) -> str:
    """Write all properties in order; ``""`` for none (contract Y5).

    ``load`` gives the same values back. Whole floats come back as integers, numbers JSON does not know as text.
    """
    return "".join(dump_entry(name, value) for name, value in mapping.items())


def dump_entry(name: str, value: Json) -> str:
    """Write one property: its lines, each ending in a line feed (contract Y5)."""
    return f"{_key(name)}:{dump_value(value)}"


def dump_value(value: Json) -> str:
    """Write what stands behind ``name:``, from the space or line feed on to the last line feed."""
    return _behind_colon(value, "")


def dump_item(value: Json, indent: str) -> str:
    """Write one item of a block list whose dashes stand behind ``indent``."""
    return f"{indent}-{_behind_dash(value, indent)}"


def dump_flow(value: Json) -> str:
    """Write a value on one line, for a list in brackets."""
    match value:
        case dict():
            pairs = ", ".join(f"{_quoted_unless_plain(k, in_flow=True)}: {dump_flow(v)}" for k, v in value.items())
            return f"{{ {pairs} }}" if pairs else "{}"
        case list():
            return f"[{', '.join(map(dump_flow, value))}]"
        case None:
            return "null"
        case str():
            return _quoted_unless_plain(value, in_flow=True)
        case _:
            return _number_or_bool(value)


def _behind_colon(value: Json, indent: str) -> str:
    if isinstance(value, dict) and value:
        return "\n" + "".join(_pair(k, v, indent + _INDENT) for k, v in value.items())
    if isinstance(value, list) and value:
        return "\n" + "".join(dump_item(v, indent + _INDENT) for v in value)
    return _small(value, indent)


def _behind_dash(value: Json, indent: str) -> str:
    inner = indent + _INDENT
    if isinstance(value, dict) and value:
        return " " + "".join(_pair(k, v, inner) for k, v in value.items())[len(inner) :]
    if isinstance(value, list) and value:
        return " " + "".join(dump_item(v, inner) for v in value)[len(inner) :]
    return _small(value, indent)


def _pair(name: str, value: Json, indent: str) -> str:
    return f"{indent}{_key(name)}:{_behind_colon(value, indent)}"


def _small(value: Json, indent: str) -> str:
    match value:
        case None:
            return "\n"
        case str() if _fits_block(value):
            return _block(value, indent + _INDENT)
        case str():
            return f" {_quoted_unless_plain(value)}\n"
        case dict() | list():
            return " {}\n" if isinstance(value, dict) else " []\n"
        case _:
            return f" {_number_or_bool(value)}\n"


def _number_or_bool(value: bool | float) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return number_text(value)


def _key(name: str) -> str:
    return _quoted(name) if _MARKER.match(name) else _quoted_unless_plain(name)


def _quoted_unless_plain(text: str, *, in_flow: bool = False) -> str:
    is_plain = (
        not _NOT_PLAIN.match(text)
        and "\n" not in text
        and not _ESCAPED.search(text)
        and not (in_flow and _NOT_PLAIN_IN_FLOW.search(text))
        and resolve_plain(text) is text
    )
    return text if is_plain else _quoted(text)


def _quoted(text: str) -> str:
    if '"' in text and "'" not in text and "\n" not in text and not _ESCAPED.search(text):
        return f"'{text}'"
    return f'"{"".join(_escape(c) for c in text)}"'


def _escape(char: str) -> str:
    if char in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[char]
    if not _ESCAPED.match(char):
        return char
    return f"\\u{ord(char):04x}"


def _fits_block(text: str) -> bool:
    return (
        "\n" in text
        and not text[0].isspace()
        and not text.endswith("\n\n")
        and not _BLANK_LAST_LINE.search(text)
        and not _ESCAPED.search(text)
    )


def _block(text: str, indent: str) -> str:
    chomping = "" if text.endswith("\n") else "-"
    lines = text.removesuffix("\n").split("\n")
    return f" |{chomping}\n" + "".join(f"{indent}{line}\n" if line else "\n" for line in lines)
