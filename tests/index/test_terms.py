import io
import pickle
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st
from whoosh.filedb.filetables import OrderedHashReader
from whoosh.filedb.structfile import StructFile

from sidecar.index.terms import TermReader, TermWriter

FIELDS = {"body": 0, "title": 1}
terms = st.binary(min_size=1, max_size=4)


def written(entries: dict[str, dict[bytes, bytes]]) -> bytes:
    writer = TermWriter(FIELDS)
    for field in FIELDS:
        for term in sorted(entries.get(field, {})):
            writer.add(field, term, entries[field][term])
    return writer.finish()


@given(st.fixed_dictionaries({field: st.dictionaries(terms, st.binary(max_size=9), max_size=40) for field in FIELDS}))
def test_terms_are_found_as_written_by_us_and_by_whoosh(entries: dict[str, dict[bytes, bytes]]) -> None:
    data = written(entries)
    reader, theirs = TermReader(data), OrderedHashReader(StructFile(io.BytesIO(data)), len(data))
    for field, number in FIELDS.items():
        for term, entry in entries[field].items():
            at = reader.find(field, term)
            assert at is not None
            assert data[at : at + len(entry)] == entry
            assert theirs[struct.pack("!H", number) + term] == entry
        for absent in {b"", b"\x00", b"zz", *(term + b"x" for term in entries[field])} - entries[field].keys():
            assert reader.find(field, absent) is None
        for beginning in (b"", b"\x00", b"a", *(term[:1] for term in entries[field])):
            expected = sorted(term for term in entries[field] if term.startswith(beginning))
            found = list(reader.beginning_with(field, beginning))
            assert [term for term, _ in found] == expected
            assert [reader.find(field, term) for term in expected] == [at for _, at in found]
    every = [(FIELDS[field], term) for field in FIELDS for term in sorted(entries[field])]
    assert [key for key, _ in reader.all()] == every
    assert list(theirs.keys()) == [struct.pack("!H", number) + term for number, term in every]


def test_what_is_no_file_of_terms_is_refused() -> None:
    data = written({"body": {b"a": b"1"}})
    for harmed in (b"", b"nonsense" * 9999, data[:-1], data[:3000], data[:-40] + bytes(40)):
        with pytest.raises((ValueError, struct.error, EOFError, KeyError, IndexError, pickle.UnpicklingError)):
            TermReader(harmed)
