import os
from pathlib import Path

import pytest

from sidecar.index.stamp import Stamp


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a", "b"):
        (tmp_path / name).write_text(name * 100)
    Stamp(tmp_path, "1").write(["a", "b"])
    return tmp_path


def is_intact(folder: Path, form: str = "1") -> bool:
    return Stamp(folder, form).is_intact()


def test_untouched_files_are_intact(folder: Path) -> None:
    assert is_intact(folder)
    assert not is_intact(folder, "2")


def test_files_that_came_or_went_do_not_count(folder: Path) -> None:
    (folder / "a").unlink()
    (folder / "c").write_text("new")
    assert is_intact(folder)


def test_another_size_or_time_counts(folder: Path) -> None:
    (folder / "a").write_text("longer" * 100)
    assert not is_intact(folder)
    Stamp(folder, "1").write(["a"])
    assert is_intact(folder)
    os.utime(folder / "a", ns=(5, 5))
    assert not is_intact(folder)


def test_what_is_known_is_not_read_again(folder: Path) -> None:
    stamp = Stamp(folder, "1")
    assert stamp.is_intact()
    (folder / "a").write_bytes(b"")
    stamp.write(["a", "b"])
    assert not is_intact(folder)


def test_content_that_changed_unseen_is_found_in_small_pieces(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sidecar.index.stamp._PIECE", 40)
    stamp = Stamp(folder, "1")
    assert stamp.is_intact()
    assert list(stamp.damaged()) == [False] * 8
    file = folder / "b"
    times = file.stat()
    file.write_text("b" * 99 + "c")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    stamp = Stamp(folder, "1")
    assert stamp.is_intact()
    assert list(stamp.damaged()) == [False] * 7 + [True]
    (folder / "a").unlink()
    assert list(stamp.damaged()) == [False] * 3 + [True]


@pytest.mark.parametrize(
    "content",
    ["", "[]", "nonsense", '{"form": "1"}', '{"form": "1", "files": []}', '{"form": "1", "files": {"a": 1}}', "\udcff"],
)
def test_a_stamp_that_cannot_be_read_is_none(folder: Path, content: str) -> None:
    (folder / "stamp.json").write_bytes(content.encode("utf-8", "surrogateescape"))
    assert not is_intact(folder)


def test_a_folder_without_stamp_or_that_is_not_there(tmp_path: Path) -> None:
    assert not is_intact(tmp_path)
    assert not is_intact(tmp_path / "gone")
