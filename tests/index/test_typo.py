import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.index.query import parse_query
from sidecar.index.typo import _errors, corrected, near_words
from sidecar.model.search import Query, Term

VOCABULARY = [
    "running",
    "ruling",
    "runner",
    "gutter",
    "butter",
    "cat",
    "tomatoes",
    "compost",
    "créme",
    "2026",
    "organisation",
]


def beginning(letters: str) -> frozenset[str]:
    return frozenset(word for word in VOCABULARY if word.startswith(letters))


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("runing", ("ruling", "running")),
        ("rnuning", ("running",)),
        ("urnning", ("running",)),
        ("gutterr", ("gutter",)),
        ("gutte", ("gutter",)),
        # the first letter is rarely the wrong one
        ("gatter", ("gutter",)),
        ("mutter", ("butter", "gutter")),
        ("utter", ("butter", "gutter")),
        ("xgutter", ("gutter",)),
        # two errors from eight letters on
        ("tomatos", ("tomatoes",)),
        ("tomtatose", ("tomatoes",)),
        ("organizatoin", ("organisation",)),
        ("gottar", ()),
        ("xomattoes", ()),
        # short words, numbers and what is there already
        ("cta", ()),
        ("2025", ()),
        ("compost", ()),
    ],
)
def test_near_words(word: str, near: tuple[str, ...]) -> None:
    assert near_words(word, beginning) == near


def naive(one: str, other: str) -> int:
    """Count as the definition says: all ways, over all prefixes."""
    table = {(i, j): i + j for i in range(len(one) + 1) for j in range(len(other) + 1) if not i or not j}
    for i in range(1, len(one) + 1):
        for j in range(1, len(other) + 1):
            table[i, j] = min(
                table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (one[i - 1] != other[j - 1])
            )
            if i > 1 and j > 1 and one[i - 1] == other[j - 2] and one[i - 2] == other[j - 1]:
                table[i, j] = min(table[i, j], table[i - 2, j - 2] + 1)
    return table[len(one), len(other)]


letters = st.text(st.sampled_from("abc"), min_size=1, max_size=9)


@given(letters, letters, st.integers(1, 2))
def test_errors_are_counted_as_far_as_they_are_allowed(one: str, other: str, allowed: int) -> None:
    assert min(_errors(one, other, allowed), allowed + 1) == min(naive(one, other), allowed + 1)


COUNTS = {"running": 3, "ruling": 1, "gutter": 2, "tomatoes": 5, "butter": 0}


@pytest.mark.parametrize(
    ("query", "better", "became"),
    [
        ("runing", "running", {"runing": "running"}),
        ("gutter runing", "gutter running", {"runing": "running"}),
        ("line:(Runing tomatos)", "line:(running tomatoes)", {"Runing": "running", "tomatos": "tomatoes"}),
        ("(runing OR gutter) -runing", "(running OR gutter) -runing", {"runing": "running"}),
        # what finds nothing is no correction: it stands in files that may not be seen, or in none any more
        ("buttre", "buttre", {}),
        # these say how they are spelled
        ('"runing"', '"runing"', {}),
        ("runing*", "runing*", {}),
        ("match-case:runing", "match-case:runing", {}),
        ("path:runing", "path:runing", {}),
        ("gutter", "gutter", {}),
        ("run-ing", "run-ing", {}),
    ],
)
def test_c21_unknown_words_become_near_ones(query: str, better: str, became: dict[str, str]) -> None:
    def count(term: Term) -> int:
        return COUNTS.get(term.text, 0)

    def meaning(typed: str) -> Query:
        return parse_query(f"{typed} AND")

    assert corrected(meaning(query), query, count, beginning) == (meaning(better), became)
