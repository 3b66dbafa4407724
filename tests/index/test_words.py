import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.index.analysis import fold, stem, tokens
from sidecar.index.words import Words, anchor_of, word_check
from sidecar.model.search import Phrase, Term

TEXT = "The crème brûlée was Running late.\nSee 系統図 and foo-bar\nnot data:text/plain,secret"


@pytest.mark.parametrize(
    ("wanted", "holds"),
    [
        (Term("creme"), True),
        (Term("CRÈME"), True),
        (Term("run"), True),
        (Term("ran"), False),
        (Term("lat"), False),
        (Term("lat", prefix=True), True),
        (Term("foo-bar"), True),
        (Term("foo bar"), True),
        (Term("foo-ba", prefix=True), True),
        (Term("系統"), True),
        (Term("統"), True),
        (Term("系図"), False),
        (Term("secret"), False),
        (Term("!!!"), False),
        (Phrase("creme brulee was"), True),
        (Phrase("late see"), True),
        (Phrase("run late"), False),
        (Phrase("brulee creme"), False),
        (Phrase("running"), True),
        (Phrase("run"), False),
        # S10
        (Term("Running", case=True), True),
        (Term("running", case=True), False),
        (Term("Run", case=True), False),
        (Term("Run", prefix=True, case=True), True),
        (Term("creme", case=True), False),
        (Term("cre\u0300me", case=True), True),
        (Phrase("was Running", case=True), True),
        (Phrase("Was Running", case=True), False),
        (Phrase("", case=True), False),
    ],
)
def test_words_are_found_as_the_index_finds_them(wanted: Term | Phrase, holds: bool) -> None:
    check = word_check(wanted)
    assert check(Words(TEXT)) is holds
    assert any(check(Words(line)) for line in TEXT.split("\n")) is (holds and wanted != Phrase("late see"))


texts = st.text(st.sampled_from("abAB1-é. 系統\n\r\u0301ßﬁ½"), max_size=25)


@given(texts, st.sampled_from(["a", "ab", "ba1", "e", "系", "ss", "fi", "abé"]), st.booleans())
def test_one_word_is_looked_for_line_by_line(text: str, word: str, prefix: bool) -> None:
    (wanted,) = tokens(word)
    have = tokens(text)
    expected = any(w == wanted or stem(w) == stem(wanted) or (prefix and w.startswith(wanted)) for w in have)
    assert word_check(Term(word, prefix=prefix))(Words(text)) is expected


SUFFIXES = [
    "", "s", "es", "ed", "ing", "ingly", "ly", "y", "ies", "ied", "ying", "er", "ness", "ment", "ation", "ational", "ator",
    "ization", "izer", "ability", "ible", "ibly", "ency", "ance", "ive", "ively", "iveness", "ful", "fulness", "less", "ous",
    "ously", "al", "ality", "alism", "icate", "icity", "eed", "ogy", "tion", "e", "ee", "bli", "biliti",
]  # fmt: skip


@pytest.mark.parametrize(
    "beginning", ["d", "l", "t", "hap", "siz", "relat", "vis", "or", "hop", "hopp", "agr", "us", "gener"]
)
def test_every_form_of_a_word_holds_its_anchor(beginning: str) -> None:
    forms: dict[str, set[str]] = {}
    for one, other in itertools.product(SUFFIXES, SUFFIXES):
        forms.setdefault(stem(beginning + one + other), set()).add(beginning + one + other)
    for same in forms.values():
        for word in same:
            assert all(anchor_of(Term(word)) in form for form in same), word


def test_anchors_of_phrases_are_folded_words() -> None:
    assert anchor_of(Phrase("Crème x")) == "creme"
    assert anchor_of(Term("Über", case=True)) == fold("Über")
    assert anchor_of(Term("!!!")) == ""


@given(st.lists(st.text(st.sampled_from("aé\u0301ßİ語 \r"), max_size=5), min_size=1, max_size=5))
def test_lines_are_found_in_the_folded_text_and_back(lines: list[str]) -> None:
    words = Words("\n".join(lines))
    folded = [fold(line) for line in lines]
    assert words.folded == "\n".join(folded)
    for number in range(len(lines)):
        in_text = sum(len(line) + 1 for line in lines[:number])
        in_folded = sum(len(line) + 1 for line in folded[:number])
        assert words.in_text(in_folded) == in_text
        assert words.in_folded(in_text + len(lines[number])) == in_folded
