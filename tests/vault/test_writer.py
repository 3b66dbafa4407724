import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sidecar.errors import Refused
from sidecar.model.file import checksum
from sidecar.vault import writer
from sidecar.vault.writer import ChangedOnDisk


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_write_new_makes_the_file_and_its_folders(tmp_path: Path) -> None:
    place = tmp_path / "a/b/Note.md"
    writer.write_new(place, b"\xef\xbb\xbfone\r\ntwo")
    assert place.read_bytes() == b"\xef\xbb\xbfone\r\ntwo"
    assert names(place.parent) == ["Note.md"]


def test_write_new_never_overwrites(tmp_path: Path) -> None:
    place = tmp_path / "Note.md"
    place.write_bytes(b"theirs")
    with pytest.raises(FileExistsError):
        writer.write_new(place, b"ours")
    assert place.read_bytes() == b"theirs"
    assert names(tmp_path) == ["Note.md"]


def test_new_file_gets_the_users_usual_mode(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    writer.write_new(tmp_path / "Note.md", b"")
    assert (tmp_path / "Note.md").stat().st_mode == (tmp_path / "usual").stat().st_mode


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o600, 0o755])
def test_h5_replace_keeps_the_mode(tmp_path: Path, mode: int) -> None:
    place = tmp_path / "Note.md"
    place.write_bytes(b"old")
    place.chmod(mode)
    os.utime(place, ns=(1, 1))
    writer.replace(place, b"new", checksum(b"old"))
    assert place.read_bytes() == b"new"
    assert place.stat().st_mode & 0o777 == mode
    assert place.stat().st_mtime_ns > 1, "sync services go by the time"
    assert names(tmp_path) == ["Note.md"]


@pytest.mark.parametrize("found", [b"theirs", None])
def test_c24_replace_refuses_a_file_that_changed(tmp_path: Path, found: bytes | None) -> None:
    place = tmp_path / "Note.md"
    if found is not None:
        place.write_bytes(found)
    with pytest.raises(ChangedOnDisk) as caught:
        writer.replace(place, b"new", checksum(b"old"))
    assert caught.value.data["checksum"] == (None if found is None else checksum(found))
    assert names(tmp_path) == ([] if found is None else ["Note.md"])
    assert found is None or place.read_bytes() == found


def test_replace_refuses_a_write_protected_file(tmp_path: Path) -> None:
    place = tmp_path / "Note.md"
    place.write_bytes(b"old")
    place.chmod(0o444)
    with pytest.raises(Refused, match="write-protected"):
        writer.replace(place, b"new", checksum(b"old"))
    assert names(tmp_path) == ["Note.md"]


def test_f4_name_of_255_bytes_can_be_replaced(tmp_path: Path) -> None:
    place = tmp_path / ("é" * 126 + ".md")
    writer.write_new(place, b"old")
    writer.replace(place, b"new", checksum(b"old"))
    assert place.read_bytes() == b"new"


def test_h7_move_keeps_time_and_mode(tmp_path: Path) -> None:
    source, target = tmp_path / "a.md", tmp_path / "sub/b.md"
    source.write_bytes(b"x")
    source.chmod(0o640)
    os.utime(source, ns=(5_000_000_000, 5_000_000_000))
    inode = source.stat().st_ino
    writer.move(source, target, checksum(b"x"))
    found = target.stat()
    assert (found.st_mtime_ns, found.st_mode & 0o777, found.st_ino) == (5_000_000_000, 0o640, inode)
    assert found.st_nlink == 1
    assert names(tmp_path) == ["sub"]


def test_move_never_overwrites(tmp_path: Path) -> None:
    source, target = tmp_path / "a.md", tmp_path / "b.md"
    source.write_bytes(b"a")
    target.write_bytes(b"b")
    with pytest.raises(FileExistsError):
        writer.move(source, target, checksum(b"a"))
    assert (source.read_bytes(), target.read_bytes()) == (b"a", b"b")


def test_move_refuses_a_file_that_changed(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"theirs")
    with pytest.raises(ChangedOnDisk):
        writer.move(tmp_path / "a.md", tmp_path / "b.md", checksum(b"old"))
    assert names(tmp_path) == ["a.md"]


def test_remove_only_what_was_seen(tmp_path: Path) -> None:
    place = tmp_path / "a.md"
    place.write_bytes(b"theirs")
    with pytest.raises(ChangedOnDisk):
        writer.remove(place, checksum(b"old"))
    writer.remove(place, checksum(b"theirs"))
    assert names(tmp_path) == []


def test_disks_without_second_names_still_never_overwrite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    writer.write_new(tmp_path / "a.md", b"a")
    with pytest.raises(FileExistsError):
        writer.write_new(tmp_path / "a.md", b"other")
    writer.move(tmp_path / "a.md", tmp_path / "b.md", checksum(b"a"))
    assert names(tmp_path) == ["b.md"]
    assert (tmp_path / "b.md").read_bytes() == b"a"


def test_full_disk_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "a.md"
    place.write_bytes(b"old")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        writer.replace(place, b"new", checksum(b"old"))
    assert names(tmp_path) == ["a.md"]
    assert place.read_bytes() == b"old"


@pytest.mark.parametrize("call", ["replace", "rename", "unlink", "read"])
def test_on_windows_a_file_that_is_held_for_a_moment_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    place = tmp_path / "a.md"
    place.write_bytes(b"old")
    refusals = [PermissionError(13, "in use"), PermissionError(13, "in use")]

    def held_at_first(real: Callable[..., Any]) -> Callable[..., Any]:
        def held(*args: Any, **kwargs: Any) -> Any:
            if refusals:
                raise refusals.pop()
            return real(*args, **kwargs)

        return held

    holder: Any = Path if call in {"read", "unlink"} else os
    name = {"read": "read_bytes"}.get(call, call)
    monkeypatch.setattr(writer, "_WINDOWS", True)
    monkeypatch.setattr(holder, name, held_at_first(getattr(holder, name)))
    writer.replace(place, b"new", checksum(b"old"))
    writer.move(place, tmp_path / "b.md", checksum(b"new"))
    writer.remove(tmp_path / "b.md", checksum(b"new"))
    assert not refusals
    assert names(tmp_path) == []


def test_on_windows_a_file_that_stays_held_is_an_error_and_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "a.md"
    place.write_bytes(b"old")

    def held(*_: object) -> None:
        raise PermissionError(13, "in use")

    monkeypatch.setattr(writer, "_WINDOWS", True)
    monkeypatch.setattr("time.sleep", lambda _: None)
    monkeypatch.setattr(os, "replace", held)
    with pytest.raises(PermissionError):
        writer.replace(place, b"new", checksum(b"old"))
    assert place.read_bytes() == b"old"
    assert names(tmp_path) == ["a.md"]


def test_on_windows_no_folder_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "a folder cannot be opened")

    monkeypatch.setattr(writer, "_WINDOWS", True)
    monkeypatch.setattr(os, "open", refuse)
    writer.sync_folder(tmp_path)


def test_clean_leftovers_takes_only_our_own(tmp_path: Path) -> None:
    for name in (".Note.md.0a1b2c3d.sidecar.tmp", ".Note.md.tmp", "Note.sidecar.tmp", ".hidden"):
        (tmp_path / name).touch()
    writer.clean_leftovers(tmp_path)
    assert names(tmp_path) == [".Note.md.tmp", ".hidden", "Note.sidecar.tmp"]
    writer.clean_leftovers(tmp_path / "gone")


def test_h5_a_replaced_file_keeps_its_mode_and_attributes(tmp_path: Path) -> None:
    place = tmp_path / "N.md"
    place.write_bytes(b"old")
    place.chmod(0o640)
    try:
        os.setxattr(place, "user.colour", b"green")
        attributes = {"user.colour": b"green"}
    except (AttributeError, OSError):  # not every system and disk has them
        attributes = {}
    writer.replace(place, b"new", checksum(b"old"))
    assert place.read_bytes() == b"new"
    assert place.stat().st_mode & 0o777 == 0o640
    assert {name: os.getxattr(place, name) for name in attributes} == attributes
