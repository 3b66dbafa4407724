import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.errors import Unavailable
from sidecar.index.query import parse_query
from sidecar.model.path import VaultPath
from sidecar.model.search import And, Everything, Not, Passage, Phrase, TagIs, Term
from sidecar.services.nearness import Meaning, Nearness, fused, is_plain, meaning_of
from sidecar.services.rankings import Ranked
from tests.conftest import Served

SENSES = {"automobile": "car", "vehicle": "car", "cars": "car", "feline": "cat", "cats": "cat", "kitten": "cat"}


@dataclass
class BagOfWords:
    """Search by meaning as a child would do it: words of one sense are one word, and paragraphs are passages."""

    root: Path
    missing: str | None = None

    def nearest(self, text: str, limit: int, among: Callable[[VaultPath], bool]) -> Sequence[Passage]:
        if self.missing:
            raise Unavailable(self.missing)
        found = []
        for file in sorted(self.root.rglob("*.md")):
            path = VaultPath(file.relative_to(self.root).as_posix())
            if among(path):
                found.append(max(self._passages(path, file.read_text(), text), key=lambda p: p.similarity))
        return sorted(found, key=lambda passage: -passage.similarity)[:limit]

    def _passages(self, path: VaultPath, text: str, question: str) -> list[Passage]:
        lines = text.split("\n")
        return [Passage(path, cosine(line, question), number) for number, line in enumerate(lines, 1)]


def cosine(one: str, other: str) -> float:
    a, b = bag(one), bag(other)
    length = math.sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values()))
    return sum(n * b[word] for word, n in a.items()) / length if length else 0.0


def bag(text: str) -> Counter[str]:
    return Counter(SENSES.get(word, word) for word in re.findall(r"[a-z]+", text.lower()))


@pytest.fixture
def street(served: Served) -> Served:
    served.write("Garage.md", "# Garage\n\nthe red automobile\n")
    served.write("Road.md", "---\ntags: [road]\n---\na car on the road, and another car\n")
    served.write("Pets.md", "my kitten sleeps\n")
    served.write("Tools.md", "hammer\n")
    return served


def knowing(vault: Served, nearest: BagOfWords | None) -> Served:
    search = vault.open().services.search
    search._nearness = Nearness(nearest, search._lexical, search._threads)
    return vault


def found(vault: Served, query: str, **arguments: Any) -> list[str]:
    return vault.found(query, **arguments)


@pytest.mark.parametrize("name", ["semantic", "vector"])
def test_what_means_the_same_is_found(street: Served, name: str) -> None:
    knowing(street, BagOfWords(street.root))
    result = street.ok("search_notes", query="vehicle", search_type=name)
    assert [r["file_path"] for r in result["results"]] == ["Road.md", "Garage.md"]
    assert (result["search_type_used"], "hint" in result) == ("semantic", False)
    (_, row) = result["results"]
    assert (row["content"], row["line"], row["similarity"]) == ("the red automobile", 3, row["score"])


def test_hybrid_is_the_default_where_meaning_can_be_had(street: Served) -> None:
    assert found(street, "car") == ["Road.md"]
    knowing(street, BagOfWords(street.root))
    assert found(street, "car") == ["Road.md", "Garage.md"]
    assert found(street, "car", search_type="text") == ["Road.md"]
    result = street.ok("search_notes", query="car")
    assert (result["search_type_used"], result["total"]) == ("hybrid", 2)
    assert result["results"][0]["content"] == "a car on the road, and another car"


@pytest.mark.parametrize("properties", ["title: Car", "aliases: [Car]"])
def test_a_note_of_just_this_name_comes_before_what_only_means_it(street: Served, properties: str) -> None:
    street.write("Named.md", f"---\n{properties} # where nobody looks for what anything means or says\n---\nhammer\n")
    knowing(street, BagOfWords(street.root))
    assert found(street, "car") == ["Named.md", "Road.md", "Garage.md"]


@pytest.mark.parametrize(
    "query", ['"a car"', "car OR hammer", "car NOT hammer", "car AND road", "/car/", "line:car", "match-case:car"]
)
def test_who_writes_operators_gets_what_they_say(street: Served, query: str) -> None:
    before = found(street, query)
    knowing(street, BagOfWords(street.root))
    assert found(street, query) == before


def test_filters_hold_for_both(street: Served) -> None:
    knowing(street, BagOfWords(street.root))
    for kind in ("semantic", "hybrid"):
        assert found(street, "vehicle", search_type=kind, tags=["road"]) == ["Road.md"]
        assert found(street, "vehicle tag:road", search_type=kind) == ["Road.md"]
        assert found(street, "vehicle -path:road", search_type=kind) == ["Garage.md"]
        assert found(street, "vehicle", search_type=kind, after_date="2000-01-01", note_types=["note"]) == [
            "Road.md",
            "Garage.md",
        ]


def test_min_similarity_cuts(street: Served) -> None:
    knowing(street, BagOfWords(street.root))
    assert found(street, "car", search_type="semantic", min_similarity=0) == [
        "Road.md",
        "Garage.md",
        "Pets.md",
        "Tools.md",
    ]
    assert found(street, "car", search_type="semantic", threshold=0.6) == ["Road.md"]
    assert found(street, "car", search_type="semantic", min_similarity=1) == []
    street.fails("search_notes", "invalid", query="car", min_similarity=2)


@pytest.mark.parametrize(
    ("nearest", "told"),
    [(None, "pip install 'vault-sidecar[semantic]'"), ("The model is not here", "The model is not here")],
)
@pytest.mark.parametrize("name", ["semantic", "vector", "hybrid"])
def test_without_meaning_there_are_words_and_it_says_so(
    street: Served, name: str, nearest: str | None, told: str
) -> None:
    knowing(street, BagOfWords(street.root, nearest) if nearest else None)
    result = street.ok("search_notes", query="car", search_type=name)
    assert ([r["file_path"] for r in result["results"]], result["search_type_used"]) == (["Road.md"], "text")
    assert told in result["hint"]
    first = street.call("search_notes", query="car", search_type=name).blocks[0].split("\n")[0]
    assert first.startswith("Searched by words")
    assert told in first
    quiet = street.ok("search_notes", query="car")
    assert ("hint" in quiet, quiet["search_type_used"]) == (False, "text")


def test_conditions_alone_mean_nothing(street: Served) -> None:
    knowing(street, BagOfWords(street.root))
    result = street.ok("search_notes", query="tag:road", search_type="semantic")
    assert ([r["file_path"] for r in result["results"]], result["search_type_used"]) == (["Road.md"], "text")


def test_facts_have_words_only_and_it_says_so(street: Served) -> None:
    knowing(street, BagOfWords(street.root))
    street.write("Fact.md", "- [idea] a car\n")
    street.reindex()
    result = street.ok("search_notes", query="car", search_type="semantic", entity_types=["observation"])
    assert (result["total"], result["search_type_used"]) == (1, "text")
    assert "observations" in result["hint"]


def test_c27_hidden_and_excluded_files_are_not_looked_at(guarded: Served) -> None:
    guarded.write("Secret/a.md", "my vehicle")
    guarded.write("Old/b.md", "my car")
    guarded.write("c.md", "an automobile")
    guarded.write(".obsidian/app.json", '{"userIgnoreFilters": ["Old/"]}')
    knowing(guarded, BagOfWords(guarded.root))
    for kind in ("semantic", "hybrid"):
        assert found(guarded, "vehicle", search_type=kind) == ["c.md"]
        assert set(found(guarded, "vehicle", search_type=kind, include_excluded=True)) == {"c.md", "Old/b.md"}


def test_a_note_that_became_private_shows_nothing(street: Served) -> None:
    knowing(street, BagOfWords(street.root))
    street.write("Garage.md", "---\nprivate: true\n---\nthe red automobile\n")
    rows = street.ok("search_notes", query="vehicle", search_type="semantic")["results"]
    assert {r["file_path"]: r["content"] for r in rows}["Garage.md"] is None


@pytest.mark.parametrize(
    ("query", "text", "condition"),
    [
        ("red car", "red car", Everything()),
        ('"red car" fast', "red car fast", Everything()),
        ("car OR bike", "car bike", Everything()),
        ("car tag:x", "car", And((TagIs("x"),))),
        ("car -bike", "car", And((Not(Term("bike")),))),
        ("tag:x", "", TagIs("x")),
        ("", "", Everything()),
    ],
)
def test_words_mean_something_and_all_else_is_a_condition(query: str, text: str, condition: object) -> None:
    assert meaning_of(parse_query(query)) == Meaning(text, condition)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("query", "plain"),
    [
        ("car", True), ("red car", True), ("car tag:x", True), ("car -bike", False), ("car path:x [n:1]", True), ("tag:x", False), ("", False),
        ('"red car"', False), ('fast "red car"', False), ("car OR bike", False), ("car AND bike", False), ("/car/", False),
    ],
)  # fmt: skip
def test_plain_words_are_plain(query: str, *, plain: bool) -> None:
    assert is_plain(parse_query(query)) is plain


names = st.lists(st.sampled_from("abcdefgh"), unique=True)


@given(names, names)
def test_fusing_keeps_every_row_once_and_prefers_what_both_have(one: list[str], other: list[str]) -> None:
    rankings = [[Ranked(VaultPath(name), 9.0) for name in ranking] for ranking in (one, other)]
    rows = fused(rankings)
    assert sorted(row.path for row in rows) == sorted({*one, *other})
    expected = {n: sum(1 / (61 + r.index(n)) for r in (one, other) if n in r) for n in {*one, *other}}
    assert [row.score for row in rows] == sorted(expected.values(), reverse=True)
    assert {row.path: row.score for row in rows} == expected
    assert [row.path for row in fused([rankings[0]])] == one


def test_a_phrase_is_words_too() -> None:
    assert meaning_of(Phrase("a b")).text == "a b"
