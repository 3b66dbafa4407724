import os
from pathlib import Path

import pytest

from sidecar.index.stamp import is_intact, write_stamp


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a", "b"):
        (tmp_path / name).write_text(name)
    write_stamp(tmp_path, "1", ["a", "b"])
    return tmp_path


def test_untouched_files_are_intact(folder: Path) -> None:
    assert is_intact(folder, "1")
    assert not is_intact(folder, "2")


def test_files_that_came_or_went_do_not_count(folder: Path) -> None:
    (folder / "a").unlink()
    (folder / "c").write_text("new")
    assert is_intact(folder, "1")


def test_another_size_or_time_counts(folder: Path) -> None:
    (folder / "a").write_text("longer")
    assert not is_intact(folder, "1")
    write_stamp(folder, "1", ["a"])
    assert is_intact(folder, "1")
    os.utime(folder / "a", ns=(5, 5))
    assert not is_intact(folder, "1")


@pytest.mark.parametrize("content", ["", "[]", "nonsense", '{"form": "1"}', '{"form": "1", "files": []}', "\udcff"])
def test_a_stamp_that_cannot_be_read_is_none(folder: Path, content: str) -> None:
    (folder / "stamp.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    assert not is_intact(folder, "1")


def test_a_folder_without_stamp_or_that_is_not_there(tmp_path: Path) -> None:
    assert not is_intact(tmp_path, "1")
    assert not is_intact(tmp_path / "gone", "1")
