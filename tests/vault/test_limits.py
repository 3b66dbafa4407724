from pathlib import Path

import pytest

from sidecar.vault import limits
from sidecar.vault.limits import file_system_of, file_system_on_macos, folder_count, is_remote, reason_to_poll

MOUNTS = r"""/dev/sda1 / ext4 rw,relatime 0 0
proc /proc proc rw 0 0
server:/export /mnt/notes nfs4 rw,vers=4.2 0 0
//nas/share /mnt/My\040Notes cifs rw 0 0
user@host:/home /mnt/notes/inner fuse.sshfs rw 0 0
/dev/sdb1 /mnt/stick fuseblk rw 0 0
tmpfs /over tmpfs rw 0 0
server:/x /over nfs rw 0 0
broken
"""
MAC = """/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled)
//ann@nas/notes on /Volumes/My Notes (smbfs, nodev, nosuid, mounted by ann)
"""


@pytest.mark.parametrize(
    ("place", "kind", "remote"),
    [
        ("/home/ann/Vault", "ext4", False),
        ("/", "ext4", False),
        ("/mnt/notes", "nfs4", True),
        ("/mnt/notes/Vault", "nfs4", True),
        ("/mnt/notes2/Vault", "ext4", False),
        ("/mnt/My Notes/Vault", "cifs", True),
        ("/mnt/notes/inner/Vault", "fuse.sshfs", True),
        ("/mnt/stick/Vault", "fuseblk", False),
        ("/over/Vault", "nfs", True),
    ],
)
def test_kind_of_disk_on_linux(place: str, kind: str, remote: bool) -> None:
    assert file_system_of(place, MOUNTS) == kind
    assert is_remote(kind) == remote


@pytest.mark.parametrize(
    ("place", "kind", "remote"),
    [("/Users/ann/Vault", "apfs", False), ("/Volumes/My Notes/Vault", "smbfs", True), ("/Volumes/My", "apfs", False)],
)
def test_kind_of_disk_on_macos(place: str, kind: str, remote: bool) -> None:
    assert file_system_on_macos(place, MAC) == kind
    assert is_remote(kind) == remote


def test_unknown_disks_are_trusted() -> None:
    assert file_system_of("/a", "") == file_system_on_macos("/a", "") == ""
    assert not is_remote("")


def test_every_folder_takes_a_watch_and_counting_ends_early(tmp_path: Path) -> None:
    for name in ("a/b/c", ".git/objects", "d"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "a/note.md").touch()
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert folder_count(tmp_path, 100) == 7
    assert folder_count(tmp_path, 2) == 3
    assert folder_count(tmp_path / "gone", 100) == 1


def test_more_than_half_of_the_watches_is_a_reason_to_poll(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abcd":
        (tmp_path / name).mkdir()
    monkeypatch.setattr(limits, "_watch_limit", lambda: 10)
    assert reason_to_poll([tmp_path]) is None
    (tmp_path / "e").mkdir()
    assert "half of the 10" in (reason_to_poll([tmp_path]) or "")
    monkeypatch.setattr(limits, "_watch_limit", lambda: None)
    assert reason_to_poll([tmp_path]) is None


def test_a_network_disk_is_a_reason_to_poll(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tmp_path / "mounts"
    table.write_text(f"server:/x {tmp_path} nfs4 rw 0 0\n")
    monkeypatch.setattr(limits, "_MOUNTS", table)
    monkeypatch.setattr("sidecar.vault.limits.sys.platform", "linux")
    assert "nfs4" in (reason_to_poll([tmp_path]) or "")
    table.unlink()
    assert reason_to_poll([tmp_path]) is None
