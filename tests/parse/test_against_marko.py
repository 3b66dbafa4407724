"""The scanner against marko, which reads CommonMark: headings, fences and Markdown links of real notes are the same.

marko knows no properties, wikilinks, comments, math or Obsidian tasks, so it is no judge of those.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marko import block, inline
from marko.element import Element
from marko.parser import Parser

from sidecar.model.note import LinkKind
from sidecar.parse.blank import blanked
from sidecar.parse.frontmatter import block_of
from sidecar.parse.inline import read_inline
from sidecar.parse.scanner import scan

ROOT = Path(__file__).parents[2]
VAULTS = [*sorted(p for p in (ROOT / "tests/vaults").iterdir() if p.is_dir()), ROOT / "examples-vault"]

DIFFERENCES = {
    ("link_in_task_markdown_link.md", "[]()"): "B15: an empty destination is no link",
    ("link_in_task_markdown_link.md", "[alias]()"): "B15",
}
"""Markdown links that only marko sees, by note, and the rule that says why."""


class Structure(NamedTuple):
    """Headings as level and line, fences as first and last line, links as line, source and decoded destination."""

    headings: list[tuple[int, int]]
    fences: list[tuple[int, int]]
    links: list[tuple[int, str, str]]


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


def _ours(text: str) -> Structure:
    found = scan(text)
    links = read_inline(text, found).links
    markdown = [link for link in links if link.kind in (LinkKind.MARKDOWN, LinkKind.MARKDOWN_EMBED)]
    return Structure(
        [(heading.level, heading.line) for heading in found.headings],
        sorted((_line(text, f.start), _line(text, max(f.start, f.end - 1))) for f in found.fences),
        sorted((link.line, link.raw, link.linkpath + link.subpath) for link in markdown),
    )


def _walk(element: Element) -> Iterator[Element]:
    yield element
    children = getattr(element, "children", None)
    if isinstance(children, list):
        for child in children:
            yield from _walk(child)


def _span(element: Element) -> tuple[int, int]:
    assert element.source_span is not None
    return element.source_span


def _markos(text: str) -> Structure:
    document = Parser().parse(text)
    top = [child for child in document.children if isinstance(child, (block.Heading, block.SetextHeading))]
    every = list(_walk(document))
    fences = [_span(element) for element in every if isinstance(element, block.FencedCode)]
    links = [(*_span(e), e.dest) for e in every if isinstance(e, (inline.Link, inline.Image))]
    return Structure(
        [(heading.level, _line(text, _span(heading)[0])) for heading in top],
        sorted((_line(text, start), _line(text, end - 1)) for start, end in fences),
        sorted(
            (_line(text, start), text[start:end], unquote(dest))
            for start, end, dest in links
            if text[end - 1] == ")" and not re.match(r"[A-Za-z][A-Za-z0-9+.-]+:", dest)  # B20, B14
        ),
    )


@pytest.mark.parametrize("vault", VAULTS, ids=lambda vault: vault.name)
def test_the_scanner_reads_real_notes_as_marko_does(vault: Path) -> None:
    for file in sorted(vault.rglob("*.md")):
        text = _without_properties(file)
        markos = _markos(text)
        links = [link for link in markos.links if (file.name, link[1]) not in DIFFERENCES]
        assert _ours(text) == markos._replace(links=links), file


def _without_properties(file: Path) -> str:
    text = file.read_bytes().decode("utf-8").replace("\r\n", "\n")
    properties = block_of(text)
    return blanked(text, [(0, properties.end)]) if properties else text


def test_the_vaults_have_enough_to_compare_and_no_difference_is_listed_in_vain() -> None:
    found = {file.name: _markos(_without_properties(file)) for vault in VAULTS for file in vault.rglob("*.md")}
    counts = [sum(map(len, parts)) for parts in zip(*found.values(), strict=True)]
    assert all(count >= wanted for count, wanted in zip(counts, (500, 100, 25), strict=True)), counts
    for name, link in DIFFERENCES:
        assert link in {written for _, written, _ in found[name].links}


LINES = [
    "# h", "## h #", "text", "```", "~~~", "```py", "````", "- a", "- ", "1. a", "2. b", "* x", "> q", ">", "> ```",
    "  in", "    code", "\tcode", "===", "---", "***", "[x](y.md)", "![x](y.md)", "[a [b](c.md)](d.md)", "`[x](y.md)`",
    "[x](<a b.md>)", '[x](y.md "t")', "[x](y z.md)", "", "", "- ```", "- # h", "  ```", "    ```", "> # h",
    "\\[x](y.md)", "[x](y.md) `a` [z](w.md)", "``a` [x](y.md)``", "*[x](y.md)*", "   # h", "- - a", "1) x", "| a | b |",
]  # fmt: skip


@settings(deadline=None, max_examples=400)
@given(st.lists(st.sampled_from(LINES), max_size=8))
def test_the_scanner_reads_any_lines_as_marko_does(lines: list[str]) -> None:
    # The first line is text: Obsidian does not take an indented first line for code (T3), marko does.
    text = "\n".join(["text", "", *lines, ""])
    assert _ours(text) == _markos(text)
