import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.index.analysis import spans, stem
from sidecar.index.needles import Match, Needle, Needles, fold_line, holds, likely_words, matches_in
from sidecar.index.words import Words

RUN = Needle(("run",))
NEEDLES: tuple[Needle, ...] = (
    RUN,
    Needle(("run",), exact=True),
    Needle(("ru",), prefix=True),
    Needle(("a", "run"), exact=True),
    Needle(("run", "a", "ru"), prefix=True),
    Needle(("系", "統")),
    Needle(("e",)),
    Needle(("ie",)),
)
pieces = st.sampled_from(
    ["run ", "Runs", "running", "a ", "A-", "é", "系統", "系 ", " ", "\n", "\n\n", "\r\n", "_", "rune", "data:a/b,run", "x" * 64, "ie ", "1", "e\u0301", "\u0301"]
)  # fmt: skip


def naive(text: str, wanted: Needles) -> list[Match]:
    """Take the whole text apart."""
    words, at = [], 0
    for line in text.split("\n"):
        words += [(word, at + start, at + end) for word, start, end in spans(line)]
        at += len(line) + 1
    return [
        Match(n, start, words[i + len(needle.words) - 1][2])
        for i, (word, start, _) in enumerate(words)
        for n, needle in enumerate(wanted)
        if needle.begins_at(word) and needle.goes_on([w for w, _, _ in words[i + 1 : i + len(needle.words)]])
    ]


@given(st.lists(pieces, max_size=14).map("".join), st.lists(st.sampled_from(NEEDLES), min_size=1, unique=True))
def test_needles_are_found_where_a_reading_of_the_whole_text_finds_them(text: str, wanted: list[Needle]) -> None:
    expected = naive(text, tuple(wanted))
    assert matches_in(text, tuple(wanted)) == expected
    for n, needle in enumerate(wanted):
        assert holds(text, needle) is any(match.needle == n for match in expected)


@pytest.mark.parametrize(
    ("text", "needle", "found"),
    [
        ("a run", RUN, ["run"]),
        ("outrun Rune\nRUNNING, run1", RUN, ["RUNNING"]),
        ("a\nRun", Needle(("a", "run")), ["a\nRun"]),
        ("a\né\nrun", Needle(("a", "run")), []),
        ("a 系統図", Needle(("系", "統")), ["系統"]),
        ("", RUN, []),
    ],
)
def test_what_is_found(text: str, needle: Needle, found: list[str]) -> None:
    assert [text[match.start : match.end] for match in matches_in(text, (needle,))] == found
    assert matches_in(text, ()) == []


def test_words_with_an_anchor_are_likely() -> None:
    assert likely_words("A run, outrun", "a run, outrun", ("ru", "a")) == [("a", 0, 1), ("run", 2, 5)]


@given(st.text(st.sampled_from("aÀé\n ßKſİ系が\u3099\u0301"), max_size=20))
def test_folding_a_text_line_by_line(text: str) -> None:
    words = Words(text)
    assert words.folded == "\n".join(map(fold_line, text.split("\n")))


@pytest.mark.parametrize("word", ["running", "ties", "flies", "dying", "generously", "happy", "skies"])
def test_a_word_begins_with_its_anchor(word: str) -> None:
    anchor = Needle((word,)).anchor
    assert word.startswith(anchor)
    assert stem(word).startswith(anchor)
