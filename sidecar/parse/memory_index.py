"""``MEMORY.md``, the index that Claude loads: one line a memory, read and edited with every other line left alone."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from sidecar.parse.frontmatter import block_of
from sidecar.parse.wikilink import DESTINATION, WIKILINK, markdown_target, wikilink_target

__all__ = [
    "INDEX_NAME",
    "MOST_BYTES",
    "MOST_LINES",
    "IndexLine",
    "IndexSize",
    "hook_of",
    "lines_of",
    "size_of",
    "title_of_name",
    "with_line",
    "without_lines",
]

INDEX_NAME = "MEMORY.md"
MOST_LINES = 200
MOST_BYTES = 25_000
"""What Claude Code reads of the index; the rest is dropped without a word."""
_WARNED_FROM = 0.7
"""Claude Code itself asks for so much less once the limit is passed: 140 lines."""
_LONGEST_LINE = 150
_SHORTEST_HOOK = 40

_TITLE = re.compile(r"[ \t]*[-*+][ \t]+\[((?:[^\[\]\\]|\\.)*)\](?=\()")
_WIKI = re.compile(r"[ \t]*[-*+][ \t]+(?=\[\[)")
_HOOK = re.compile(r"[ \t]*(?:(?:[—–:]|-{1,2})[ \t]*)?(.*?)[ \t]*\r?\Z")
_COMMENT = re.compile(r"^[ \t]*<!--.*?-->[ \t]*(?:\r?\n|\Z)", re.MULTILINE | re.DOTALL)
_BRACKETS = re.compile(r"[\\\[\]]")


@dataclass(frozen=True, slots=True)
class IndexLine:
    """One line that leads to a memory. Offsets are those of the whole line, line break included, and of its hook."""

    number: int
    name: str
    """The file it names, seen from the index, without ``.md``."""
    is_wikilink: bool
    hook: str
    start: int
    end: int
    hook_start: int
    hook_end: int

    def is_of(self, name: str) -> bool:
        """Tell whether it is the line of a memory; a wikilink may name more or less of the path."""
        own, asked = self.name.lower(), name.lower()
        if own == asked:
            return True
        return self.is_wikilink and (own.endswith(f"/{asked}") or asked.endswith(f"/{own}"))


@dataclass(frozen=True, slots=True)
class IndexSize:
    """How much of the index Claude loads: without properties and comments."""

    lines: int
    bytes: int

    @property
    def is_tight(self) -> bool:
        """Tell whether it is time to make the index shorter."""
        return self.lines >= MOST_LINES * _WARNED_FROM or self.bytes >= MOST_BYTES * _WARNED_FROM

    @property
    def is_over(self) -> bool:
        """Tell whether the end of it is dropped."""
        return self.lines > MOST_LINES or self.bytes > MOST_BYTES


def lines_of(text: str) -> Iterator[IndexLine]:
    """Go through the lines of an index that lead to a file."""
    start = 0
    for number, line in enumerate(text.split("\n"), 1):
        end = min(start + len(line) + 1, len(text))
        if (found := _line(line)) is not None:
            name, is_wikilink, behind = found
            hook = _HOOK.match(line, behind)
            if hook is not None:
                yield IndexLine(
                    number, name, is_wikilink, hook[1], start, end, start + hook.start(1), start + hook.end(1)
                )
        start = end


def with_line(text: str, name: str, *, title: str, hook: str, former_hook: str | None, newline: str) -> str:
    """Give a memory its line. A line that is there stays as it is, unless its hook is still ``former_hook``.

    A new line goes behind the last that is not empty; the file keeps ending with or without a line break.
    """
    line = next((line for line in lines_of(text) if line.is_of(name)), None)
    if line is not None:
        if not line.hook or line.hook != former_hook:
            return text
        return text[: line.hook_start] + hook + text[line.hook_end :]
    shown = _BRACKETS.sub(r"\\\g<0>", title)
    new = f"- [{shown}]({quote(name, safe='/')}.md)" + (f" — {hook}" if hook else "")
    if not text.strip():
        return f"{text}{new}{newline}"
    behind = text.find("\n", len(text.rstrip())) + 1
    return f"{text[:behind]}{new}{newline}{text[behind:]}" if behind else f"{text}{newline}{new}"


def without_lines(text: str, *lines: IndexLine) -> str:
    """Take lines away."""
    for line in sorted(lines, key=lambda line: -line.start):
        text = text[: line.start] + text[line.end :]
    return text


def hook_of(description: str, title: str, name: str) -> str:
    """Return a description so short that the whole line stays a short one."""
    room = max(_SHORTEST_HOOK, _LONGEST_LINE - len(f"- []({name}.md) — ") - len(title))
    if len(description) <= room:
        return description
    cut = description[: room - 1]
    return f"{cut.rpartition(' ')[0] or cut}…"


def title_of_name(name: str) -> str:
    """Return a name as people would write it: ``renewal-window`` is *Renewal window*."""
    words = re.sub(r"[-_]+", " ", name.rpartition("/")[2]).strip()
    return words[:1].upper() + words[1:]


def size_of(text: str) -> IndexSize:
    """Measure what is loaded of an index."""
    block = block_of(text)
    loaded = _COMMENT.sub("", text[block.end :] if block else text).strip("\r\n")
    return IndexSize(loaded.count("\n") + 1 if loaded else 0, len(loaded.encode("utf-8", "surrogatepass")))


def _line(line: str) -> tuple[str, bool, int] | None:
    """Return the name a line leads to, whether by a wikilink, and where its link ends."""
    if title := _TITLE.match(line):
        found = DESTINATION.match(line, title.end())
        target = markdown_target(found, title[1]) if found else None
        behind = found.end() if found else 0
    elif (begin := _WIKI.match(line)) and (found := WIKILINK.match(line, begin.end())):
        target, behind = wikilink_target(found[1]), found.end()
    else:
        return None
    if target is None or not target.linkpath:
        return None
    name = target.linkpath.removeprefix("./")
    return (name[:-3] if name.lower().endswith(".md") else name), not title, behind
