from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from sidecar.index.postings import length_byte
from sidecar.index.ranking import Bm25, add_scores, norms, page_of
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


def test_of_thousands_that_are_equal_the_first_by_path_are_shown() -> None:
    paths = [VaultPath(f"{n:04}") for n in reversed(range(2000))]
    hits = page_of([(paths, dict.fromkeys(range(2000), 1.0))], 5, 5)
    assert hits.total == 2000
    assert [hit.path for hit in hits.hits] == ["0005", "0006", "0007", "0008", "0009"]


@given(
    st.lists(st.integers(1, 300), max_size=400),
    st.booleans(),
    st.data(),
)
def test_weights_of_all_files_are_those_of_each(lengths: list[int], counted: bool, data: st.DataObject) -> None:
    column = bytes(map(length_byte, lengths))
    numbers = [n for n in range(len(lengths)) if n % 3]
    counts = [data.draw(st.sampled_from([1.0, 2.0, 7.0])) for _ in numbers] if counted else None
    weight = Bm25(files=400, files_with_term=20, norms=norms(80))
    each = [0.5 * weight(counts[i] if counts else 1, column[number]) for i, number in enumerate(numbers)]
    assert list(map(round_off, weight.of_all(numbers, counts, column, 0.5))) == list(map(round_off, each))


def round_off(score: float) -> float:
    return round(score, 9)


some_scores = st.dictionaries(st.integers(0, 9), st.sampled_from([0.5, 1.0, 2.0]))


@given(some_scores, some_scores)
def test_scores_add_up(found: dict[int, float], more: dict[int, float]) -> None:
    expected = {file: found.get(file, 0) + more.get(file, 0) for file in found.keys() | more.keys()}
    add_scores(found, more)
    assert found == expected
