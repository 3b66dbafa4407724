import struct
import zlib
from pickle import UnpicklingError

import pytest
from hypothesis import given
from hypothesis import strategies as st
from whoosh.codec.whoosh3 import W3TermInfo
from whoosh.formats import Positions
from whoosh.util.numeric import byte_to_length, length_to_byte

from sidecar.index.postings import (
    COUNTED,
    LENGTHS,
    TermInfo,
    decode,
    encode,
    encode_places,
    files_in,
    length_byte,
)

rising = st.lists(st.integers(1, 3000), min_size=1, max_size=400).map(
    lambda steps: [sum(steps[: n + 1]) - 1 for n in range(len(steps))]
)


def test_lengths_are_those_of_whoosh() -> None:
    assert list(LENGTHS) == [byte_to_length(n) for n in range(256)]
    asked = [*range(3000), 10_000, 106_373, 106_374, 10**7]
    assert [length_byte(n) for n in asked] == [length_to_byte(n) for n in asked]


@given(rising)
def test_places_are_read_by_whoosh_as_they_were_written(where: list[int]) -> None:
    value = encode_places(where)
    assert Positions().decode_positions(value) == where
    assert Positions().decode_frequency(value) == len(where)


def test_far_places_and_many_of_them() -> None:
    for where in ([70_000], [5, 4101, 100_000], list(range(200)), [4095], [4096]):
        assert Positions().decode_positions(encode_places(where)) == where


def test_a_count_without_places() -> None:
    assert [Positions().decode_frequency(value) for value in COUNTED] == list(range(256))
    assert Positions().decode_positions(COUNTED[7]) == []


@given(rising, st.data())
def test_postings_are_read_as_written(numbers: list[int], data: st.DataObject) -> None:
    often = data.draw(st.sampled_from([st.just(1), st.just(3), st.integers(1, 5)]))
    counts = data.draw(st.lists(often, min_size=len(numbers), max_size=len(numbers)))
    values = [encode_places(range(count)) for count in counts]
    lengths = bytes((n * 7) % 256 for n in range(numbers[-1] + 1))
    written, entry = encode(numbers, counts, values, lengths, 12)
    info = TermInfo.read(b"ab" + entry, 2)
    assert info == (len(numbers), 12, len(written))
    assert files_in(b"ab" + entry, 2) == len(numbers)
    for places in (True, False):
        read = decode(written, places=places)
        assert list(read.numbers) == numbers
        assert list(read.counts or [1.0] * len(numbers)) == counts
        assert (read.counts is None) == (set(counts) == {1})
        assert read.values == (tuple(values) if places else ())
    theirs = W3TermInfo.from_bytes(entry)
    met = [lengths[n] for n in numbers]
    assert (theirs.doc_frequency(), theirs.weight(), theirs.max_weight()) == (len(numbers), sum(counts), max(counts))
    assert (theirs.min_length(), theirs.max_length()) == (LENGTHS[min(met)], LENGTHS[max(met)])
    assert (theirs.min_id(), theirs.max_id(), theirs.extent()) == (numbers[0], numbers[-1], (12, (len(written),)))


def test_damage_is_never_read_as_postings() -> None:
    numbers = list(range(0, 3000, 3))
    data, _ = encode(numbers, [1] * 1000, [COUNTED[1]] * 1000, bytes(3000), 0)
    for harmed in (b"", b"W3Bl", b"nonsense" * 99, data[: len(data) // 2], data[:4] + bytes(500), b"\0" * len(data)):
        with pytest.raises((ValueError, struct.error, zlib.error, EOFError, UnpicklingError)):
            decode(harmed)


def test_postings_that_stand_elsewhere_are_refused() -> None:
    _, entry = encode([1], [1], [COUNTED[1]], b"\0\1", 0)
    with pytest.raises(ValueError):
        TermInfo.read(b"\1" + entry[1:], 0)
