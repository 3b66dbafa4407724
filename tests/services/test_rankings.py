import pytest

from sidecar.errors import Invalid
from sidecar.model.path import VaultPath
from sidecar.model.search import Everything
from sidecar.services.rankings import Cursor, Ranked, Ranking, Rankings

SEARCH, STATE = Rankings.name_of("water"), Rankings.name_of(1)
RANKING = Ranking(Everything(), (Ranked(VaultPath("a.md"), 1), Ranked(VaultPath("b.md"), 1)), 5)


def test_a_cursor_is_read_as_it_was_written() -> None:
    cursor = Cursor(SEARCH, STATE, 10)
    assert Cursor.read(f" {cursor} ", SEARCH) == cursor


@pytest.mark.parametrize(
    "text", ["", "x", f"{SEARCH}-1", f"{SEARCH}{STATE}-", f"{SEARCH}{STATE}--1", f"{STATE}{SEARCH}-1"]
)
def test_what_is_no_cursor_of_this_search_is_invalid(text: str) -> None:
    with pytest.raises(Invalid):
        Cursor.read(text, SEARCH)


def test_a_ranking_is_kept_as_far_as_it_goes() -> None:
    rankings = Rankings()
    rankings.keep(SEARCH, STATE, RANKING)
    assert rankings.of(Cursor(SEARCH, STATE, 1)) is RANKING
    assert rankings.of(Cursor(SEARCH, STATE, 2)) is None
    assert rankings.of(Cursor(SEARCH, Rankings.name_of(2), 1)) is None


def test_the_oldest_rankings_are_forgotten() -> None:
    rankings = Rankings()
    for number in range(33):
        rankings.keep(SEARCH, str(number), RANKING)
    assert rankings.of(Cursor(SEARCH, "0", 0)) is None
    assert rankings.of(Cursor(SEARCH, "1", 0)) is RANKING
