import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.catalog.resolve import (
    Resolution,
    link_keys_of,
    name_index,
    name_key,
    path_for_unresolved,
    resolve,
    unresolved_key,
)
from sidecar.model.path import VaultPath
from tests.catalog.builders import names

FIXTURE = Path(__file__).parents[1] / "fixtures" / "obsidian" / "resolve.json"
VAULTS: list[dict[str, Any]] = json.loads(FIXTURE.read_text(encoding="utf-8"))
ROWS = [(vault["files"], case["link"], case["source"], case["expect"]) for vault in VAULTS for case in vault["cases"]]


def target(link: str, source: str, *paths: str) -> str | None:
    return resolve(link, VaultPath(source), names(*paths)).target


def test_the_fixture_is_whole() -> None:
    assert len(ROWS) == 45


@pytest.mark.parametrize(("files", "link", "source", "expected"), ROWS)
def test_fixture(files: list[str], link: str, source: str, expected: str | None) -> None:
    assert target(link, source, *files) == expected


def test_r1_an_empty_linkpath_is_the_note_itself() -> None:
    assert resolve("", VaultPath("a/b.md"), {}) == Resolution(VaultPath("a/b.md"), (VaultPath("a/b.md"),))


@pytest.mark.parametrize(
    ("link", "paths", "expected"),
    [
        ("v1.2", ("v1.2", "v1.2.md"), "v1.2"),
        ("v1.2", ("v1.2.md",), "v1.2.md"),
        ("x.md", ("x.md", "x.md.md"), "x.md"),
        ("x.md", ("x.md.md",), "x.md.md"),
        ("plain", ("plain",), None),
        ("ΛΟΓΟΣ", ("λογοσ.md",), "λογοσ.md"),
        ("a.ΛΟΓΟΣ", ("a.λογος",), "a.λογος"),
    ],
)
def test_r2_the_literal_name_is_tried_before_md(link: str, paths: tuple[str, ...], expected: str | None) -> None:
    assert target(link, "s.md", *paths) == expected


def test_r3_the_only_file_of_a_name_is_found_anywhere() -> None:
    assert target("Note", "x/y/s.md", "a/b/c/Note.md") == "a/b/c/Note.md"


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("./Note", "x/y/Note.md"),
        ("../Note", "x/Note.md"),
        ("../../Note", "Note.md"),
        ("../../../../Note", "Note.md"),
        ("./../y/./Note", "x/y/Note.md"),
    ],
)
def test_r4_relative_links_start_from_the_own_folder(link: str, expected: str) -> None:
    assert target(link, "x/y/s.md", "Note.md", "x/Note.md", "x/y/Note.md") == expected


def test_r5_exact_path_wins_over_the_own_folder() -> None:
    assert target("Note", "zzzz/s.md", "Note.md", "zzzz/Note.md") == "Note.md"
    assert target("b/Note", "a/s.md", "b/Note.md", "a/b/Note.md") == "b/Note.md"


def test_r6_a_leading_slash_never_falls_back() -> None:
    assert target("/b/Note", "s.md", "a/b/Note.md", "Note.md") is None
    assert target("/b/Note", "s.md", "a/b/Note.md", "b/Note.md") == "b/Note.md"


def test_r7_the_end_of_the_path_is_enough() -> None:
    assert target("b/Note", "s.md", "a/b/Note.md", "c/Note.md") == "a/b/Note.md"
    assert target("ar/x", "s.md", "bar/x.md", "y/x.md") == "bar/x.md"  # tolerated in reading


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("zzzz/s.md", "zzzz/Note.md"),
        ("zzzz/deep/s.md", "b/Note.md"),  # an ancestor folder counts for nothing
        ("a/s.md", "a/b/Note.md"),  # under the own folder, at any depth
        ("s.md", "b/Note.md"),
    ],
)
def test_r8_own_folder_first_then_the_shortest_path(source: str, expected: str) -> None:
    assert target("Note", source, "zzzz/Note.md", "a/b/Note.md", "b/Note.md") == expected


def test_r8_length_is_counted_in_utf16_units() -> None:
    # One emoji is two units, so the path of fewer characters is the longer one.
    assert target("n", "s.md", "😀😀/n.md", "abc/n.md") == "abc/n.md"


def test_c14_shortest_string_not_fewest_folders() -> None:
    assert target("Note", "S.md", "zzzz/Note.md", "a/b/Note.md") == "a/b/Note.md"


def test_r9_a_tie_is_lexicographic_and_reported() -> None:
    found = resolve("n", VaultPath("s.md"), names("c/n.md", "a/n.md", "long/n.md", "b/n.md"))
    assert found.target == "a/n.md"
    assert found.candidates == ("a/n.md", "b/n.md", "c/n.md")
    assert found.is_ambiguous


def test_r9_no_tie_no_ambiguity() -> None:
    found = resolve("n", VaultPath("s.md"), names("a/n.md", "long/n.md"))
    assert found.candidates == ("a/n.md",)
    assert not found.is_ambiguous


def test_r14_two_files_that_differ_by_case_tie() -> None:
    assert resolve("note", VaultPath("s.md"), names("Note.md", "note.md")).candidates == ("Note.md", "note.md")


def test_r10_unresolved_links_are_listed_as_typed() -> None:
    assert unresolved_key("A/My Idea.md") == "A/My Idea"
    assert unresolved_key("My IDEA") == "My IDEA"


def test_r12_a_wrong_folder_does_not_fall_back() -> None:
    assert target("Other/Note", "s.md", "Note.md") is None


def test_r13_other_files_need_their_extension() -> None:
    assert target("pic", "s.md", "pic.png") is None
    assert target("pic.PNG", "s.md", "a/pic.png") == "a/pic.png"


def test_r14_lower_not_casefold() -> None:
    assert target("STRASSE", "s.md", "straße.md") is None
    assert target("STRAẞE", "s.md", "straße.md") == "straße.md"


def test_c16_nfd_link_finds_nfc_name() -> None:
    assert target("Cafe\u0301 Notes", "s.md", "Café Notes.md") == "Café Notes.md"


def test_r16_duplicates_as_in_real_vaults() -> None:
    paths = ("Obsidian Sync/Security and privacy.md", "Obsidian Publish/Security and privacy.md")
    assert target("Security and privacy", "Obsidian Sync/Set up.md", *paths) == paths[0]
    assert target("Security and privacy", "Obsidian Publish/Set up.md", *paths) == paths[1]


@pytest.mark.parametrize(
    ("linkpath", "expected"),
    [
        ("x", "Inbox/x.md"),
        ("x.md", "Inbox/x.md"),
        ("a/b/x", "a/b/x.md"),
        ("/a/x", "a/x.md"),
        ("x.canvas", "Inbox/x.canvas"),
        ("v1.2", "Inbox/v1.2.md"),
        ("./x", "n/x.md"),
        ("../x", "x.md"),
    ],
)
def test_r17_where_a_new_note_comes_to_be(linkpath: str, expected: str) -> None:
    assert path_for_unresolved(linkpath, VaultPath("n/s.md"), VaultPath("Inbox")) == expected


SEGMENTS = st.sampled_from(["a", "A", "b", "ab", "Σ", "aΣ", "ας", "v1.2", "x.md", "é", "😀", "İ"])
PATHS = st.builds(
    lambda folders, name, ending: VaultPath("/".join([*folders, name + ending])),
    st.lists(SEGMENTS, max_size=2),
    SEGMENTS,
    st.sampled_from([".md", ".MD", ".png", ".canvas", ""]),
)
LINKS = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "./", "../", "/"]),
    st.lists(SEGMENTS, min_size=1, max_size=3).map("/".join),
    st.sampled_from(["", ".md", ".png", ".MD"]),
)


@given(st.lists(PATHS, unique=True), LINKS, PATHS)
def test_law_name_key_misses_no_link(paths: list[VaultPath], link: str, source: VaultPath) -> None:
    for path in resolve(link, source, name_index(paths)).candidates:
        assert name_key(link) in link_keys_of(path)


@given(st.lists(PATHS, unique=True, max_size=8), LINKS, PATHS, st.randoms())
def test_law_the_order_of_files_changes_nothing(
    paths: list[VaultPath], link: str, source: VaultPath, random: Any
) -> None:
    shuffled = random.sample(paths, len(paths))
    assert resolve(link, source, name_index(paths)) == resolve(link, source, name_index(shuffled))


@settings(max_examples=200)
@given(st.lists(PATHS, unique=True, max_size=8), LINKS.filter(str.isascii), PATHS)
def test_law_case_changes_nothing(paths: list[VaultPath], link: str, source: VaultPath) -> None:
    index = name_index(paths)
    assert resolve(link.upper(), source, index) == resolve(link.lower(), source, index)


def test_b9_a_self_link_has_no_name_key() -> None:
    assert name_key("") is None
