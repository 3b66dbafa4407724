"""YAML text to plain values, read as Obsidian reads properties; the one place that imports PyYAML (contract Y2)."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NoReturn, TypeVar

import yaml
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from sidecar.model.note import Json
from sidecar.parse.yaml_core import flow_text, resolve_plain

__all__ = [
    "AliasEvent",
    "CollectionEndEvent",
    "CollectionStartEvent",
    "Event",
    "NodeEvent",
    "ScalarEvent",
    "SequenceStartEvent",
    "YamlProblem",
    "load",
    "walk",
]

_MAX_DEPTH = 100
_MAX_ALIASES = 100
_MAX_PATCHES = 50
_BACKEND: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

# YAML 1.2 takes these as ordinary characters; PyYAML refuses them or breaks lines at them.
_ODD = re.compile("[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_PRIVATE = range(0xF0000, 0xFFFFE)
_CORE_TAGS = frozenset(f"tag:yaml.org,2002:{name}" for name in ("null", "bool", "int", "float"))
_IN_USERS_WORDS = {
    "mapping values are not allowed": "a value that holds ': ' needs quotes",
    "cannot start any token": "a value that begins with this character needs quotes",
    "end of stream": "a quote or bracket is never closed",
    "maximum nesting depth": f"it is nested deeper than {_MAX_DEPTH} levels",
}

_T = TypeVar("_T")


class YamlProblem(Exception):  # noqa: N818 - a finding with its line; callers word the error
    """The text is not YAML that Obsidian reads; ``line`` counts from 1 within the text."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def load(text: str) -> Json:
    """Return the value of one YAML document; ``None`` for an empty one (contract Y2).

    Mappings have text keys. Whole numbers are exact. What JSON holds for no number (``.inf``, ``.nan``, ``1e999``,
    more than 250 digits) stays text.

    Raises:
        YamlProblem: and nothing else, whatever the text.

    """
    return walk(text, _value)


@dataclass(frozen=True, slots=True)
class _Source:
    """The text as PyYAML gets it: every character stands where it stood, some are stand-ins."""

    text: str
    originals: dict[int, str]
    dash: str | None = None
    """Stand-in for a ``-`` that is alone behind ``key:``, which YAML 1.2 reads as a list with one empty item."""


def walk(text: str, visit: Callable[[Iterator[Event], _Source], _T]) -> _T:
    """Give ``visit`` the parse events of the text; their marks are lines and columns of ``text``, from 0.

    Raises:
        YamlProblem: when the text does not parse, or as ``visit`` raises it.

    """
    source = _prepare(text)
    for _ in range(_MAX_PATCHES):
        parser = None
        try:
            parser = _BACKEND(source.text)
            return visit(iter(parser.get_event, None), source)
        except yaml.YAMLError as error:
            patched = _patched(source, error)
            if patched is None:
                raise _problem(error) from None
            source = patched
        except (ValueError, OverflowError):  # the pure-Python parser on absurd escapes and version numbers
            raise YamlProblem("an escape or number in it is out of range", 1) from None
        finally:
            if parser is not None:
                parser.dispose()
    raise YamlProblem("too many lists or tabs stand behind a name", 1)


def _prepare(text: str) -> _Source:
    text = text.replace("\r\n", "\n")
    if not text.endswith("\n"):
        text += "\n"
    odd = sorted(set(_ODD.findall(text)))
    if not odd:
        return _Source(text, {})
    used = set(text)
    free = (chr(code) for code in _PRIVATE if chr(code) not in used)
    stand_ins = dict(zip(odd, free, strict=False))
    return _Source(text.translate(str.maketrans(stand_ins)), {ord(s): c for c, s in stand_ins.items()})


def _patched(source: _Source, error: yaml.YAMLError) -> _Source | None:
    """Mend, without moving a character, what YAML 1.2 reads and PyYAML does not."""
    mark, problem = getattr(error, "problem_mark", None), str(getattr(error, "problem", ""))
    if mark is None:
        return None
    lines = source.text.split("\n")
    before, behind = lines[mark.line][: mark.column], lines[mark.line][mark.column :]
    if "sequence entries are not allowed" in problem and behind.rstrip() == "-":
        used = set(source.text)
        dash = source.dash or next((chr(code) for code in reversed(_PRIVATE) if chr(code) not in used), "-")
        lines[mark.line] = before + dash + behind[1:]
        return replace(source, text="\n".join(lines), dash=dash)
    if "cannot start any token" in problem and behind.startswith("\t") and before.strip():
        lines[mark.line] = f"{before} {behind[1:]}"  # only the pure-Python parser stumbles over such a tab
        return replace(source, text="\n".join(lines))
    return None


def _problem(error: yaml.YAMLError) -> YamlProblem:
    problem = str(getattr(error, "problem", None) or "it is not YAML")
    mark = getattr(error, "problem_mark", None)
    if "end of stream" in problem:  # the reader wants to know where it was opened
        mark = getattr(error, "context_mark", None) or mark
    words = next((ours for theirs, ours in _IN_USERS_WORDS.items() if theirs in problem), problem)
    return YamlProblem(words, mark.line + 1 if mark else 1)


def _value(events: Iterator[Event], source: _Source) -> Json:
    reader = _Reader(source)
    documents = 0
    for event in events:
        if isinstance(event, ScalarEvent):
            reader.scalar(event)
        elif isinstance(event, MappingStartEvent):
            reader.open(event, {})
        elif isinstance(event, SequenceStartEvent):
            reader.open(event, [])
        elif isinstance(event, CollectionEndEvent):
            reader.close(event)
        elif isinstance(event, AliasEvent):
            reader.alias(event)
        elif isinstance(event, DocumentStartEvent):
            documents += 1
            if documents > 1:
                _fail("it holds more than one YAML document", event)
    return reader.root


@dataclass(slots=True)
class _Open:
    """A collection that is being read."""

    value: list[Json] | dict[str, Json]
    anchor: str | None
    key: str | None = None
    height: int = 1
    aliases: int = 0


class _Reader:
    """Builds the value from events without recursion, so that its depth is our limit and not the stack's."""

    def __init__(self, source: _Source) -> None:
        self.originals = source.originals
        self.dash = source.dash
        self.stack: list[_Open] = []
        self.anchors: dict[str, tuple[Json, int, int]] = {}
        self.aliases = 0
        self.root: Json = None

    def scalar(self, event: ScalarEvent) -> None:
        text: str = event.value
        if event.style == '"' and _SURROGATE.search(text):  # libyaml refuses such escapes by itself
            _fail("an escape in it is not a character", event)
        if self.originals:
            text = text.translate(self.originals)
        is_plain = event.implicit[0] if event.tag is None else _has_core_tag(event)
        value: Json = resolve_plain(text) if is_plain else text
        if self.dash and self.dash in text:
            if text != self.dash:
                _fail("a list must begin on a line of its own", event)
            value = [None]
        self.put(value, event, 0, 0)
        if event.anchor is not None:
            self.anchors[event.anchor] = (value, 0, 0)

    def alias(self, event: AliasEvent) -> None:
        if event.anchor not in self.anchors:
            _fail("a value that begins with '*' needs quotes", event)
        value, height, aliases = self.anchors[event.anchor]
        self.aliases += 1 + aliases
        if self.aliases > _MAX_ALIASES:
            _fail(f"it uses more than {_MAX_ALIASES} aliases", event)
        if len(self.stack) + height > _MAX_DEPTH:
            _fail(f"it is nested deeper than {_MAX_DEPTH} levels", event)
        self.put(value, event, height, aliases + 1)

    def open(self, event: CollectionStartEvent, value: list[Json] | dict[str, Json]) -> None:
        if len(self.stack) >= _MAX_DEPTH:
            _fail(f"it is nested deeper than {_MAX_DEPTH} levels", event)
        if event.tag is not None:
            _has_core_tag(event)
        self.stack.append(_Open(value, event.anchor))

    def close(self, event: CollectionEndEvent) -> None:
        done = self.stack.pop()
        self.put(done.value, event, done.height, done.aliases)
        if done.anchor is not None:
            self.anchors[done.anchor] = (done.value, done.height, done.aliases)

    def put(self, value: Json, event: Event, height: int, aliases: int) -> None:
        if not self.stack:
            self.root = value
            return
        parent = self.stack[-1]
        parent.height = max(parent.height, height + 1)
        parent.aliases += aliases
        if isinstance(parent.value, list):
            parent.value.append(value)
        elif parent.key is None:
            parent.key = value if isinstance(value, str) else flow_text(value)
            if parent.key in parent.value:
                _fail(f"the name '{parent.key}' stands there twice", event)
        else:
            parent.value[parent.key] = value
            parent.key = None


def _has_core_tag(event: ScalarEvent | CollectionStartEvent) -> bool:
    tag = event.tag or ""
    if "[" in tag or "{" in tag:  # the pure-Python parser takes an embed `![[x]]` for a tag
        _fail("a value that begins with '!' needs quotes", event)
    return tag in _CORE_TAGS


def _fail(message: str, event: Event) -> NoReturn:
    raise YamlProblem(message, event.start_mark.line + 1 if event.start_mark else 1)
