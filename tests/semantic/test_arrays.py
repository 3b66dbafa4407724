import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.semantic.arrays import (
    NONE,
    Floats,
    Vectors,
    best_rows,
    coded,
    floats,
    joined,
    largest_first,
    similarities,
    token_means,
    unit,
)

seeds = st.integers(0, 10_000)


def some(seed: int, rows: int, dimensions: int = 8) -> Floats:
    return np.random.default_rng(seed).standard_normal((rows, dimensions)).astype(np.float32)


@given(seeds, st.integers(0, 60), st.sampled_from([1, 8, 256]))
def test_a_byte_for_each_coordinate_keeps_directions(seed: int, rows: int, dimensions: int) -> None:
    vectors, question = unit(some(seed, rows, dimensions)), unit(some(seed + 1, 1, dimensions))[0]
    found = similarities(coded(vectors), question)
    assert np.allclose(found, vectors @ question, atol=0.02)
    assert np.all(found <= 1)


def test_more_rows_than_are_compared_at_once_are_compared_all() -> None:
    vectors, question = coded(some(3, 3000)), unit(some(4, 1))[0]
    exact = (vectors.codes.astype(np.float32) * vectors.scales[:, None]) @ question
    assert np.allclose(similarities(vectors, question), exact, atol=1e-5)


def test_a_vector_is_nearest_to_itself_with_one() -> None:
    vectors = coded(some(1, 5))
    question = vectors.codes[2].astype(np.float32) * vectors.scales[2]
    assert similarities(vectors, question)[2] == pytest.approx(1, abs=1e-6)


def test_zeros_are_near_to_nothing() -> None:
    assert unit(floats([[0, 0], [3, 4]])).tolist() == [[0, 0], pytest.approx([0.6, 0.8])]
    assert similarities(coded(floats([[0, 0], [3, 4]])), floats([1, 0])).tolist() == pytest.approx([0, 0.6], abs=0.01)


@given(st.lists(st.lists(st.integers(0, 9), max_size=6), max_size=8), seeds, st.booleans(), st.booleans())
def test_the_mean_of_tokens(ids: list[list[int]], seed: int, weighted: bool, mapped: bool) -> None:
    table = some(seed, 10).astype(np.float16)
    weights = np.abs(some(seed, 10, 1))[:, 0] if weighted else None
    rows = np.random.default_rng(seed).integers(0, 10, 10) if mapped else None
    found = token_means(table, ids, weights, rows)
    assert found.shape == (len(ids), 8)
    for text, mean in zip(ids, found, strict=True):
        expected = np.zeros(8, np.float32)
        for token in text:
            row = table[rows[token] if rows is not None else token].astype(np.float32)
            expected += row * (weights[token] if weights is not None else 1) / len(text)
        assert np.allclose(mean, expected, atol=1e-5)


@given(st.lists(st.lists(st.integers(0, 9), max_size=6), min_size=1, max_size=8), seeds)
def test_neighbours_do_not_change_a_bit_of_a_text(ids: list[list[int]], seed: int) -> None:
    table = some(seed, 10, 64).astype(np.float16)
    alone = np.concatenate([token_means(table, [text]) for text in ids])
    assert alone.tobytes() == token_means(table, ids).tobytes()


@given(st.lists(st.lists(st.integers(-3, 3), max_size=4), max_size=8))
def test_the_best_row_of_each_stretch(stretches: list[list[int]]) -> None:
    values = [value / 3 for stretch in stretches for value in stretch]
    starts = [sum(map(len, stretches[:number])) for number in range(len(stretches) + 1)]
    rows, best = best_rows(floats(values), starts)
    for number, stretch in enumerate(stretches):
        if stretch:
            assert rows[number] == starts[number] + stretch.index(max(stretch))
            assert best[number] == pytest.approx(max(stretch) / 3)
        else:
            assert (rows[number], best[number]) == (-1, NONE)


@settings(max_examples=50)
@given(st.lists(st.lists(st.sampled_from([NONE, -1.0, 0.0, 0.5, 1.0]), max_size=5), max_size=5), st.integers(0, 1500))
def test_largest_first(parts: list[list[float]], more: int) -> None:
    parts = [*parts, [0.25] * more]
    found = list(largest_first([floats(part) for part in parts]))
    expected = {(v, at, n) for at, part in enumerate(parts) for n, v in enumerate(part) if v != NONE}
    assert set(found) == expected
    assert len(found) == len(expected)
    assert [value for value, *_ in found] == sorted((value for value, *_ in found), reverse=True)


@given(seeds, st.integers(0, 5))
def test_bytes_and_back(seed: int, rows: int) -> None:
    vectors = coded(some(seed, rows))
    data = b"head!" + vectors.tobytes()
    again = Vectors.of(data, 5, rows, 8)
    assert again.tobytes() == vectors.tobytes()
    if rows:
        with pytest.raises(ValueError, match=r"buffer|reshape"):
            Vectors.of(data[:-1], 5, rows, 8)
        with pytest.raises(ValueError, match=r"buffer|reshape"):
            Vectors.of(data + b"x", 5, rows, 8)


def test_rows_of_parts_joined() -> None:
    vectors = coded(some(5, 6))
    parts = [vectors.between(0, 2), vectors.between(2, 2), vectors.between(2, 6)]
    assert joined(parts, 8).tobytes() == vectors.tobytes()
    assert len(joined([], 8)) == 0
