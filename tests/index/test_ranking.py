from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from sidecar.index.postings import length_byte
from sidecar.index.ranking import Bm25, norms, page_of
from sidecar.model.path import VaultPath


def test_a_term_counts_more_when_it_is_rare_frequent_here_and_the_field_short() -> None:
    mean = norms(50)
    common = Bm25(files=100, files_with_term=90, norms=mean)
    rare = Bm25(files=100, files_with_term=2, norms=mean)
    short, middle, long = map(length_byte, (10, 50, 400))
    assert rare(1, middle) > common(1, middle) > 0
    assert rare(2, middle) > rare(1, middle)
    assert rare(1, short) > rare(1, middle) > rare(1, long)


@given(st.integers(1, 10**6), st.data())
def test_no_weight_is_negative(files: int, data: st.DataObject) -> None:
    weight = Bm25(files=files, files_with_term=data.draw(st.integers(0, files)), norms=norms(1))
    assert weight(1, 255) > 0


scored = st.dictionaries(
    st.text("abc", min_size=1, max_size=3).map(VaultPath), st.sampled_from([0.0, 1.0, 1.0000000001, 1.0000006, 2.5])
)


@given(scored, st.integers(0, 3), st.integers(1, 5))
def test_pages_are_pieces_of_one_ranking(matches: Mapping[VaultPath, float], cut: int, size: int) -> None:
    paths, scores = list(matches), list(matches.values())
    parts = [(paths[:cut], dict(enumerate(scores[:cut]))), (paths[cut:], dict(enumerate(scores[cut:])))]
    whole = page_of(parts, 0, 1000)
    assert whole.total == len(matches)
    assert [(hit.path, hit.score) for hit in whole.hits] == sorted(
        ((path, round(score, 6)) for path, score in matches.items()), key=lambda hit: (-hit[1], hit[0])
    )
    pages = [page_of(parts, at, size) for at in range(0, len(matches) + size, size)]
    assert sum((page.hits for page in pages), ()) == whole.hits
    assert {page.total for page in pages} == {len(matches)}
