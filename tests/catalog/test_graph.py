from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.catalog.graph import target_of
from sidecar.catalog.store import Catalog
from sidecar.model.note import Link, LinkKind
from sidecar.model.path import VaultPath
from tests.catalog.builders import file, fill, link

S, NOTE = VaultPath("S.md"), VaultPath("Note.md")


def sources(catalog: Catalog, path: str) -> list[tuple[str, str]]:
    return [(at.source, at.link.raw) for at in catalog.reader().backlinks(VaultPath(path))]


def test_backlinks_come_by_source_and_place(catalog: Catalog) -> None:
    fill(
        catalog,
        file("z.md", "[[Note]]", "[[other]]", "[[note.md|x]]"),
        file("a/b.md", "[[/Note#H]]", "[[../Note]]"),
        file("Note.md"),
    )
    assert sources(catalog, "Note.md") == [
        ("a/b.md", "[[/Note#H]]"),
        ("a/b.md", "[[../Note]]"),
        ("z.md", "[[Note]]"),
        ("z.md", "[[note.md|x]]"),
    ]


def test_a_link_comes_back_as_it_was(catalog: Catalog) -> None:
    whole = Link(LinkKind.PROPERTY, "[[Note#H|x]]", "Note", "#H", "x", 3, 40, "Head", "rel.0", None)
    fill(catalog, file("S.md", links=(whole,)), file("Note.md"))
    (at,) = catalog.reader().backlinks(NOTE)
    assert (at.source, at.link) == (S, whole)


def test_b9_links_into_the_own_note_are_no_backlinks_but_outgoing(catalog: Catalog) -> None:
    fill(catalog, file("S.md", "[[#H]]", "[[S]]"))
    assert sources(catalog, "S.md") == [("S.md", "[[S]]")]
    assert [found.target for found in catalog.reader().outgoing(S)] == [S, S]
    assert catalog.reader().unresolved() == ()


def test_b21_links_in_properties_count(catalog: Catalog) -> None:
    fill(catalog, file("S.md", links=(link("[[Note]]", LinkKind.PROPERTY),)), file("Note.md"))
    assert sources(catalog, "Note.md") == [("S.md", "[[Note]]")]


def test_links_of_canvases_count_and_card_paths_are_exact(catalog: Catalog) -> None:
    def card(path: str) -> Link:
        return Link(LinkKind.CANVAS_FILE, path, path, "", None, 1, 0, card="1")

    fill(
        catalog,
        file("c.canvas", links=(card("x/Note.md"), card("Note.md"), link("[[Note]]", LinkKind.CANVAS_TEXT))),
        file("x/Note.md"),
    )
    assert sources(catalog, "x/Note.md") == [("c.canvas", "x/Note.md"), ("c.canvas", "[[Note]]")]
    assert [at.link.raw for at in catalog.reader().unresolved()] == ["Note.md"]


def test_a_new_file_takes_links_over_without_a_touch_on_their_notes(catalog: Catalog) -> None:
    fill(catalog, file("a/S.md", "[[Note]]"), file("b/Note.md"))
    assert sources(catalog, "b/Note.md") == [("a/S.md", "[[Note]]")]
    fill(catalog, file("Note.md"))
    assert sources(catalog, "b/Note.md") == []
    assert sources(catalog, "Note.md") == [("a/S.md", "[[Note]]")]
    catalog.remove(VaultPath("Note.md"))
    catalog.remove(VaultPath("b/Note.md"))
    catalog.commit()
    assert [at.link.linkpath for at in catalog.reader().unresolved()] == ["Note"]


def test_r9_outgoing_tells_the_candidates_of_a_tie(catalog: Catalog) -> None:
    fill(catalog, file("S.md", "[[Note]]", "[[gone]]"), file("b/Note.md"), file("a/Note.md"))
    tied, gone = catalog.reader().outgoing(S)
    assert (tied.target, tied.candidates) == ("a/Note.md", ("a/Note.md", "b/Note.md"))
    assert (gone.target, gone.candidates) == (None, ())


def test_c15_r11_an_alias_never_resolves(catalog: Catalog) -> None:
    fill(catalog, file("Real.md", aliases=("Zeta",)), file("L.md", "[[Zeta]]", "[[Real|Zeta]]"))
    assert sources(catalog, "Real.md") == [("L.md", "[[Real|Zeta]]")]
    assert [at.link.raw for at in catalog.reader().unresolved()] == ["[[Zeta]]"]
    assert catalog.reader().aliased("zeta") == ("Real.md",)


def test_r15_every_link_counts(catalog: Catalog) -> None:
    links = (link("[[Note]]"), link("[[Note#H]]", LinkKind.EMBED), link("[[note]]", LinkKind.PROPERTY))
    fill(catalog, file("S.md", links=links), file("Note.md"))
    assert Counter(found.target for found in catalog.reader().outgoing(S)) == {NOTE: 3}


def test_c16_a_link_in_another_normal_form_is_not_broken(catalog: Catalog) -> None:
    fill(catalog, file("S.md", "[[Cafe\u0301 Notes]]"), file("Café Notes.md"))
    assert sources(catalog, "Café Notes.md") == [("S.md", "[[Cafe\u0301 Notes]]")]
    assert catalog.reader().unresolved() == ()


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("x.md.md", "[[x.md]]"),
        ("v1.2", "[[v1.2]]"),
        ("a.ΛΟΓΟΣ", "[[a.λογος]]"),
        ("λογοσ.md", "[[ΛΟΓΟΣ]]"),
        ("A B.md", "[[a\u00a0b]]"),
        ("N.MD", "[[n]]"),
    ],
)
def test_backlinks_of_odd_names(catalog: Catalog, path: str, text: str) -> None:
    fill(catalog, file(path), file("S.md", text))
    assert sources(catalog, path) == [("S.md", text)]


def test_unknown_paths_have_no_links(catalog: Catalog) -> None:
    assert catalog.reader().outgoing(S) == ()
    assert catalog.reader().backlinks(S) == ()


SEGMENTS = st.sampled_from(["a", "A", "ab", "Σ", "aΣ", "v1.2", "x.md", "é"])
PATHS = st.builds(
    lambda folders, name, ending: "/".join([*folders, name + ending]),
    st.lists(SEGMENTS, max_size=2),
    SEGMENTS,
    st.sampled_from([".md", ".md", ".png", ".canvas"]),
)
LINKS = st.builds(
    "[[{}{}{}]]".format,
    st.sampled_from(["", "", "./", "../", "/"]),
    st.lists(SEGMENTS, max_size=2).map("/".join),
    st.sampled_from(["", ".md", ".png", "#h"]),
)
KINDS = st.sampled_from(list(LinkKind))


@settings(max_examples=60, deadline=None)
@given(vault=st.dictionaries(PATHS, st.lists(st.builds(link, LINKS, KINDS), max_size=5), max_size=8))
def test_law_backlinks_equal_brute_force(
    tmp_path_factory: pytest.TempPathFactory, vault: dict[str, list[Link]]
) -> None:
    folder: Path = tmp_path_factory.mktemp("law")
    catalog = Catalog(folder / "c.sqlite3")
    snapshot = fill(catalog, *(file(path, links=tuple(links)) for path, links in vault.items()))
    all_links = [(source, one) for source in sorted(vault) for one in vault[source]]
    meant = [(s, one, target_of(one, VaultPath(s), snapshot).target) for s, one in all_links]
    reader = catalog.reader()
    for path in vault:
        expected = [(s, one) for s, one, target in meant if target == path and one.linkpath]
        assert [(at.source, at.link) for at in reader.backlinks(VaultPath(path))] == expected
        ends = reader.ends_to(VaultPath(path))
        assert [end.target for end in ends] == [path] * len(expected)
        links = reader.links_at([(end.source, end.n) for end in ends])
        assert [at and (at.source, at.link) for at in links] == expected
        assert [found.target for found in reader.outgoing(VaultPath(path))] == [t for s, _, t in meant if s == path]
    assert [(at.source, at.link) for at in reader.unresolved()] == [(s, one) for s, one, t in meant if t is None]
    catalog.close()


def test_all_links_come_with_their_ends_and_can_be_read_whole(catalog: Catalog) -> None:
    card = Link(LinkKind.CANVAS_FILE, "a/N.md", "a/N.md", "", None, 1, 0, card="1")
    fill(
        catalog,
        file("S.md", "[[N]]", "[[None]]", "[[#H]]", "[[./N]]"),
        file("a/T.md", "[[N]]", "[[./N]]", "[[M]]"),
        file("b/T.md", "[[M]]"),
        file("N.md"),
        file("a/N.md"),
        file("a/M.md"),
        file("b/M.md"),
        file("C.canvas", links=(card, link("[[N]]", LinkKind.CANVAS_TEXT))),
    )
    reader = catalog.reader()
    ends = [end for of_file in reader.links_by_file().values() for end in of_file]
    assert {(end.source, end.n, end.target) for end in ends} == {
        (path, n, found.target)
        for path in map(VaultPath, ("S.md", "a/T.md", "b/T.md", "C.canvas"))
        for n, found in enumerate(reader.outgoing(path))
    }
    links = reader.links_at([(end.source, end.n) for end in ends])
    assert [at and (at.source, at.link.kind) for at in links] == [(end.source, end.kind) for end in ends]
    assert reader.links_at([(S, 99), (VaultPath("gone.md"), 0)]) == (None, None)
