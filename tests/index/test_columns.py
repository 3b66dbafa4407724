import io
import zlib
from pickle import UnpicklingError

import pytest
from whoosh.codec.whoosh3 import STORED_COLUMN
from whoosh.filedb.structfile import StructFile

from sidecar.index.columns import lengths_of, paths_of, stored_paths, stored_sizes, text_edges


@pytest.mark.parametrize("count", [0, 1, 3, 1 << 15, (1 << 15) + 1])
def test_paths_are_read_as_written_by_us_and_by_whoosh(count: int) -> None:
    paths = [f"Folder {n}/caf\udce9 系{n}.md" for n in range(count)]
    column = stored_paths(paths)
    assert list(paths_of(column, count)) == paths
    if count:
        theirs = STORED_COLUMN.reader(StructFile(io.BytesIO(column)), 0, len(column), count)
        assert theirs[0] == {"path": paths[0]}
        assert theirs[count - 1] == {"path": paths[-1]}


@pytest.mark.parametrize("harmed", [b"", b"nonsense", stored_paths(["a", "b", "c"])[:-1], stored_paths(["a"])])
def test_damage_is_no_path(harmed: bytes) -> None:
    with pytest.raises((ValueError, zlib.error, EOFError, UnpicklingError)):
        list(paths_of(harmed, 3))


def test_a_column_ends_where_only_zeros_follow() -> None:
    assert lengths_of(b"\1\2", 4) == b"\1\2\0\0"
    assert lengths_of(None, 2) == b"\0\0"


def test_texts_stand_one_after_another_and_some_files_have_none() -> None:
    edges, has_text = text_edges(stored_sizes([3, None, 0, 5]), 4)
    assert (list(edges), has_text) == ([0, 3, 3, 3, 8], b"\1\0\1\1")
    with pytest.raises(ValueError, match="sizes"):
        text_edges(stored_sizes([3, None]), 3)
