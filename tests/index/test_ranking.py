from hypothesis import given
from hypothesis import strategies as st

from sidecar.index.ranking import Bm25, page_of
from sidecar.model.path import VaultPath


def test_a_term_counts_more_when_it_is_rare_frequent_here_and_the_field_short() -> None:
    common = Bm25(files=100, files_with_term=90, mean_length=50)
    rare = Bm25(files=100, files_with_term=2, mean_length=50)
    assert rare(1, 50) > common(1, 50) > 0
    assert rare(2, 50) > rare(1, 50)
    assert rare(1, 10) > rare(1, 50) > rare(1, 400)


@given(st.integers(1, 10**6), st.data())
def test_no_weight_is_negative(files: int, data: st.DataObject) -> None:
    weight = Bm25(files=files, files_with_term=data.draw(st.integers(0, files)), mean_length=1)
    assert weight(1, 10**6) > 0


scored = st.dictionaries(
    st.text("abc", min_size=1, max_size=3).map(VaultPath), st.sampled_from([0.0, 1.0, 1.0000000001, 2.5])
)


@given(scored, st.integers(1, 5))
def test_pages_are_pieces_of_one_ranking(matches: dict[VaultPath, float], size: int) -> None:
    whole = page_of(matches.items(), 0, 1000)
    assert whole.total == len(matches)
    assert list(whole.hits) == sorted(whole.hits, key=lambda hit: (-hit.score, hit.path))
    pages = [page_of(matches.items(), at, size) for at in range(0, len(matches) + size, size)]
    assert sum((page.hits for page in pages), ()) == whole.hits
    assert {page.total for page in pages} == {len(matches)}
