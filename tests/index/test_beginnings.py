from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.index.analysis import STEM
from sidecar.index.beginnings import SHORT, BeginningReader, BeginningWriter

FIELDS = {"body": 1, "title": 5}
Terms = Mapping[str, Mapping[str, set[int]]]

words = st.text(st.sampled_from("abcé語🜁"), min_size=1, max_size=4)
terms = st.fixed_dictionaries(
    dict.fromkeys(
        FIELDS,
        st.dictionaries(words | words.map(STEM.__add__), st.sets(st.integers(0, 40), min_size=1), max_size=12),
    )
)


def written(found: Terms, count: int) -> tuple[BeginningReader, bytes]:
    writer = BeginningWriter(FIELDS, count)
    for field in FIELDS:
        for term in sorted(found[field], key=str.encode):
            writer.add(field, term.encode(), sorted(found[field][term]))
    table, data = writer.finish()
    return BeginningReader(table, FIELDS, count), data


def read(reader: BeginningReader, data: bytes, field: str, beginning: str) -> list[int]:
    begin, size = reader.find(field, beginning)
    return list(reader.numbers(data[begin : begin + size]))


@given(terms, st.text(st.sampled_from("abcé語🜁x"), min_size=SHORT, max_size=SHORT))
def test_the_files_of_a_beginning_are_those_of_all_words_that_begin_so(found: Terms, beginning: str) -> None:
    reader, data = written(found, 41)
    for field in FIELDS:
        expected = set().union(*(files for term, files in found[field].items() if term.startswith(beginning)))
        files = read(reader, data, field, beginning)
        assert set(files) == expected
        assert len(files) == len(expected)


def test_numbers_that_take_more_than_two_bytes_come_back() -> None:
    reader, data = written({"body": {"word": {1, 70_000}}, "title": {}}, 70_001)
    assert sorted(read(reader, data, "body", "wo")) == [1, 70_000]


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(ValueError, match="table of beginnings"):
        BeginningReader(b"abc", FIELDS, 1)
