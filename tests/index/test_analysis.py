import random
import sys
import threading
import unicodedata
from typing import Literal

import pytest
import Stemmer
from hypothesis import given
from hypothesis import strategies as st

from sidecar.index.analysis import GAP, _stems, fold, places, search_terms, spans, stem, tokens

FORMS: tuple[Literal["NFC", "NFD"], ...] = ("NFC", "NFD")
BASE64 = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg"


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Alpha", "alpha"),
        ("Crème Brûlée", "creme brulee"),
        ("cre\u0300me", "creme"),
        ("Straße", "strasse"),
        ("İstanbul", "istanbul"),
        ("ΣΊΣΥΦΟΣ", "σισυφοσ"),
        ("ﬁne", "fine"),
        ("ＡＢＣ１", "abc1"),
        ("ｶﾞ", "ガ"),
        ("が", "が"),
        ("\u1112\u1161\u11ab국", "한국"),
        ("שָׁלוֹם", "שלום"),
        ("مُحَمَّد", "محمد"),
        ("co\u00adop", "coop"),
    ],
)
def test_fold(text: str, folded: str) -> None:
    assert fold(text) == folded


def test_folding_twice_is_folding_once_for_every_character() -> None:
    assert [hex(c) for c in range(sys.maxunicode + 1) if fold(fold(chr(c))) != fold(chr(c))] == []


@given(st.text(), st.sampled_from(FORMS))
def test_folding_does_not_depend_on_the_form(text: str, form: Literal["NFC", "NFD"]) -> None:
    assert fold(unicodedata.normalize(form, text)) == fold(text)
    assert tokens(unicodedata.normalize(form, "crème ẹ̀kọ́ Ελλάδα")) == ["creme", "eko", "ελλαδα"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("One, two—three.", ["one", "two", "three"]),
        ("_word_ snake_case **bold**", ["word", "snake", "case", "bold"]),
        ("don't 3.14 2024-01-02", ["don", "t", "3", "14", "2024", "01", "02"]),
        ("Foo™ x² ½", ["foo", "x2", "1", "2"]),
        ("この系統", ["こ", "の", "系", "統"]),
        ("abc系統", ["abc", "系", "統"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("ไทย", ["ไ", "ท", "ย"]),
        ("📅 ✅️ done", ["📅", "✅", "done"]),
        (f"a {'x' * 64} {'y' * 65} b", ["a", "x" * 64, "b"]),
        (f"an image ![](data:image/png;base64,{BASE64}==) here", ["an", "image", "here"]),
        (f"raw {BASE64} here", ["raw", "here"]),
        ("Notes/2024/Apollo/Specs/Interface/And/A/Lot/Of/More/Folders/Down/Here", ["notes", "2024", "apollo", "specs", "interface", "and", "a", "lot", "of", "more", "folders", "down", "here"]),
        ("data:foo is no data", ["data", "foo", "is", "no", "data"]),
    ],
)  # fmt: skip
def test_tokens(text: str, words: list[str]) -> None:
    assert tokens(text) == words


def test_places_of_words_and_neighbours() -> None:
    assert places("Running runs 系統図 run") == {
        "running": [0], "runs": [1], "系": [2], "統": [3], "図": [4], "系統": [2], "統図": [3], "run": [5]
    }  # fmt: skip


def test_places_leave_a_gap_between_texts() -> None:
    assert places(f"one two{GAP}three{GAP}系{GAP}統") == {"one": [0], "two": [1], "three": [3], "系": [5], "統": [7]}


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("系", ("系",)),
        ("系統", ("系統",)),
        ("系統図", ("系統", "統図")),
        ("系統 図系", ("系統", "統", "図系")),
        ("系統abc", ("系統", "統", "abc")),
        ("abc系統図", ("abc", "系統", "統図")),
        ("Foo-Bar's", ("foo", "bar", "s")),
        ("...", ()),
    ],
)
def test_search_terms_stand_at_consecutive_positions(text: str, terms: tuple[str, ...]) -> None:
    assert search_terms(text) == terms
    at = places(text)
    assert all(n in at[term] for n, term in enumerate(terms))


mixed = st.text(st.one_of(st.characters(), st.sampled_from("aé_系統がｶﾞ한ไשָ\u0301\u00ad \x1e📅ﬁ½")))


@given(mixed)
def test_spans_are_the_tokens_with_their_place_in_the_text(text: str) -> None:
    found = list(spans(text))
    assert [word for word, _, _ in found] == tokens(text)
    for word, start, end in found:
        assert 0 <= start < end <= len(text)
        assert word in tokens(text[start:end])
    assert sorted(start for _, start, _ in found) == [start for _, start, _ in found]


@given(mixed)
def test_every_text_finds_itself(text: str) -> None:
    at = places(text.replace(GAP, " "))
    assert all(n in at[term] for n, term in enumerate(search_terms(text.replace(GAP, " "))))


def test_stems() -> None:
    assert [stem(word) for word in ("running", "runs", "run", "is", "abc1", "γραφη", "plans")] == [
        "run", "run", "run", "is", "abc1", "γραφη", "plan"
    ]  # fmt: skip


def test_stems_are_the_same_on_many_threads() -> None:
    words = [f"{a}{b}ing" for a in ("plant", "walk", "crawl", "sort", "bend", "pl") for b in "abcdefghijklmnop"]
    alone = Stemmer.Stemmer("english")
    expected = {word: alone.stemWord(word) for word in words}
    _stems.clear()
    wrong: list[str] = []

    def work(seed: int) -> None:
        order = random.Random(seed).choices(words, k=2000)  # noqa: S311 - no secrets here
        wrong.extend(word for word in order if stem(word) != expected[word])

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("cre\u0300me brûlée", [("creme", 0, 6), ("brulee", 7, 13)]),
        ("が\u304b\u3099系", [("が", 0, 1), ("が", 1, 3), ("系", 3, 4)]),
        ("ｶﾞｷ", [("ガ", 0, 2), ("キ", 2, 3)]),
        ("aﬁt ½", [("afit", 0, 3), ("1", 4, 5), ("2", 4, 5)]),
    ],
)
def test_spans_point_into_the_text_as_given(text: str, found: list[tuple[str, int, int]]) -> None:
    assert list(spans(text)) == found
