"""The block of properties at the head of a note, read (contract Y1-Y4, T7)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sidecar.model.note import Json, PropertyProblem
from sidecar.parse.tag import is_tag_name
from sidecar.parse.yaml_loader import YamlProblem, load

__all__ = ["Block", "Properties", "aliases_of", "block_of", "read_properties", "tags_of", "title_of"]

_OPENING = re.compile(r"---\r?\n")
_CLOSING = re.compile(r"^---(?:\r?\n|\Z)", re.MULTILINE)
_CLAIMS_PRIVACY = re.compile(r"^private[ \t]*:[ \t]*true\b", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """Offsets of the properties' block in the text: its YAML lines, and where the body begins."""

    yaml_start: int
    yaml_end: int
    end: int


@dataclass(frozen=True, slots=True)
class Properties:
    """What the block says. With a problem there are no values, as in Obsidian (contract Y3), but for privacy's sake."""

    values: dict[str, Json]
    problem: PropertyProblem | None
    body_start: int


def block_of(text: str) -> Block | None:
    """Find the block that opens on the very first line and is closed by a line ``---`` (contract Y1)."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return None
    return Block(opening.end(), closing.start(), closing.end())


def read_properties(text: str) -> Properties:
    """Read the properties of a note; a broken block is a finding, never an exception (contract Y3)."""
    block = block_of(text)
    if block is None:
        return Properties({}, None, 0)
    try:
        values = load(text[block.yaml_start : block.yaml_end])
    except YamlProblem as problem:
        # A note meant to be private stays so while its YAML is broken, although nothing else of it can be read.
        claims = _CLAIMS_PRIVACY.search(text, block.yaml_start, block.yaml_end)
        # The YAML begins on the file's second line.
        return Properties(
            {"private": True} if claims else {}, PropertyProblem(problem.message, problem.line + 1), block.end
        )
    if values is None:
        return Properties({}, None, block.end)
    if not isinstance(values, dict):
        what = "a list" if isinstance(values, list) else "a single value"
        return Properties({}, PropertyProblem(f"they are {what} instead of 'name: value' lines", 2), block.end)
    return Properties(values, None, block.end)


def tags_of(values: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the tags among the properties, without ``#``, duplicates kept (contract T7, T8)."""
    tags = (item.strip().removeprefix("#") for item in _strings(values, "tags"))
    return tuple(tag for tag in tags if tag and not any(c.isspace() for c in tag) and is_tag_name(tag))


def aliases_of(values: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the other names of the note: a list, or one string (contract Y4)."""
    return tuple(alias.strip() for alias in _strings(values, "aliases") if alias.strip())


def title_of(values: Mapping[str, Json]) -> str | None:
    """Return the ``title`` property if it is text."""
    return next((title.strip() for title in _strings(values, "title", lists=False) if title.strip()), None)


def _strings(values: Mapping[str, Json], name: str, *, lists: bool = True) -> Iterator[str]:
    for key, value in values.items():
        if key.lower() == name:
            items = value if isinstance(value, list) and lists else [value]
            yield from (item for item in items if isinstance(item, str))
