import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sidecar.catalog.linktext import LinkFormat, linktext, markdown_link, wikilink
from sidecar.catalog.resolve import name_index, resolve
from sidecar.errors import Invalid
from sidecar.model.path import VaultPath
from tests.catalog.builders import names

FIXTURE = Path(__file__).parents[1] / "fixtures" / "obsidian" / "linktext.json"
ROWS: list[dict[str, Any]] = json.loads(FIXTURE.read_text(encoding="utf-8"))
FORMATS: tuple[LinkFormat, ...] = ("shortest", "relative", "absolute")


def text(target: str, source: str, link_format: LinkFormat, *paths: str) -> str:
    return linktext(VaultPath(target), VaultPath(source), names(*paths), link_format)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['newLinkFormat']} {row['file']}")
def test_fixture(row: dict[str, Any]) -> None:
    assert text(row["file"], row["source"], row["newLinkFormat"], *row["files"]) == row["expect"]


def test_l1_absolute_is_the_path_without_md() -> None:
    assert text("a/N.md", "a/S.md", "absolute", "a/N.md") == "a/N"
    assert text("a/p.png", "a/S.md", "absolute", "a/p.png") == "a/p.png"


@pytest.mark.parametrize(
    ("target", "source", "expected"),
    [("a/N.md", "a/S.md", "N"), ("a/b/N.md", "a/S.md", "b/N"), ("N.md", "a/b/S.md", "../../N")],
)
def test_l2_relative_starts_from_the_own_folder(target: str, source: str, expected: str) -> None:
    assert text(target, source, "relative", target, source) == expected


def test_l2_a_sibling_shadowed_by_the_root_is_written_with_a_dot() -> None:
    assert text("a/N.md", "a/S.md", "relative", "a/N.md", "N.md") == "./N"
    assert text("a/b/N.md", "a/S.md", "relative", "a/b/N.md", "b/N.md") == "./b/N"


def test_l3_shortest_is_the_name_only_when_there_is_no_other() -> None:
    assert text("a/N.md", "S.md", "shortest", "a/N.md") == "N"
    assert text("a/N.md", "a/S.md", "shortest", "a/N.md", "b/N.md") == "a/N"
    assert text("N.md", "a/S.md", "shortest", "N.md", "b/N.md") == "N"


def test_l3_the_extension_is_kept_where_a_dotted_name_would_hijack() -> None:
    assert text("v1.2.md", "S.md", "shortest", "v1.2.md", "v1.2") == "v1.2.md"


def link(target: str, source: str, *paths: str, **options: Any) -> str:
    return wikilink(VaultPath(target), VaultPath(source), names(target, *paths), **options)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "[[My Note]]"),
        ({"subpath": "#H"}, "[[My Note#H]]"),
        ({"display": ""}, "[[My Note]]"),
        ({"display": "that"}, "[[My Note|that]]"),
        ({"display": "my note"}, "[[my note]]"),
        ({"display": "My Note", "subpath": "#H"}, "[[My Note#H|My Note]]"),
        ({"display": "a [[b]] ]]c]\nd]"}, "[[My Note|a [ [b] ] ] ]c] d] ]]"),
        ({"link_format": "absolute"}, "[[a/My Note]]"),
    ],
)
def test_g1_wikilink(options: dict[str, Any], expected: str) -> None:
    assert link("a/My Note.md", "S.md", **options) == expected


def test_g1_a_link_into_the_same_note_has_no_path() -> None:
    assert link("a/N.md", "a/N.md", subpath="#H") == "[[#H]]"
    assert link("a/N.md", "a/N.md") == "[[N]]"


@pytest.mark.parametrize("name", ["a#b", "a|b", "a[[b", "a]]b"])
def test_f2_names_that_break_a_wikilink_are_refused(name: str) -> None:
    with pytest.raises(Invalid) as error:
        link(f"{name}.md", "S.md")
    assert f"{name}.md" in error.value.message


def test_g2_markdown_link_can_be_read_back() -> None:
    path = VaultPath("Sub/We!rd (name) [x] #1.md")
    written = markdown_link(path, VaultPath("S.md"), names(path), link_format="absolute")
    assert written == r"[We!rd (name) \[x\] #1](Sub/We!rd%20%28name%29%20%5Bx%5D%20%231.md)"


def test_g2_subpath_and_self_link() -> None:
    path = VaultPath("a/日本.md")
    index = names(path)
    assert (
        markdown_link(path, VaultPath("S.md"), index, subpath="#A b#^id", display="x\ny") == "[x y](日本.md#A%20b#^id)"
    )
    assert markdown_link(path, path, index, subpath="#H") == "[日本](#H)"


SEGMENTS = st.text(st.sampled_from("aAbB. é😀%&+()'"), min_size=1, max_size=4).filter(
    lambda s: s == s.strip(" .") and not s.isspace()
)
PATHS = st.builds(
    lambda folders, name, ending: VaultPath("/".join([*folders, name + ending])),
    st.lists(SEGMENTS, max_size=2),
    SEGMENTS,
    st.sampled_from([".md", ".png"]),
)


@given(st.lists(PATHS, min_size=1, max_size=8, unique_by=str.lower), PATHS, st.sampled_from(FORMATS))
def test_law_what_is_written_leads_back(paths: list[VaultPath], source: VaultPath, link_format: LinkFormat) -> None:
    index = name_index(paths)
    for path in paths:
        assert resolve(linktext(path, source, index, link_format), source, index).candidates == (path,)
        written = markdown_link(path, source, index, link_format=link_format)
        match = re.search(r"\]\(([^ ()<>#\[\]]+)\)$", written)
        assert match, written
        assert resolve(unquote(match[1]), source, index).candidates == (path,)


@given(PATHS, PATHS, st.text(st.sampled_from("aA[]| \n"), max_size=8))
def test_law_a_display_never_breaks_the_link(path: VaultPath, source: VaultPath, display: str) -> None:
    assume(path != source)
    written = wikilink(path, source, name_index([path]), display=display)
    inside = written[2:-2]
    assert "[[" not in inside
    assert written.index("]]") == len(written) - 2
    assert resolve(inside.partition("|")[0], source, name_index([path])).target == path
