import os
from pathlib import Path

import pytest

from sidecar.errors import NotFound, SidecarError
from sidecar.model.path import VaultPath
from sidecar.vault import files as files_module
from sidecar.vault import glance as glance_module
from sidecar.vault.files import VaultFiles
from sidecar.vault.placeholders import NotHere


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    for path in ("Plain.md", "Folder/Inner.md", "Cafe\u0301.md", "Hard\u00a0space.md", ".hidden/Secret.md", ".dot.md"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(path.encode())
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/Beyond.md").write_bytes(b"beyond")
    (root / "Linked").symlink_to(tmp_path / "outside")
    (root / "Link.md").symlink_to(root / "Plain.md")
    (root / "Within").symlink_to(root / "Folder")
    (root / "Back\\slash.md").write_bytes(b"backslash")
    os.mkfifo(root / "Pipe.md")
    return root


@pytest.mark.parametrize(
    "path",
    [
        "Plain.md",
        "Folder/Inner.md",
        "Folder",
        "Caf\u00e9.md",
        "Cafe\u0301.md",
        "Hard space.md",
        "Hard\u00a0space.md",
        "Gone.md",
        "Gone/Away.md",
        "plain.md",
        ".dot.md",
        ".hidden/Secret.md",
        "Folder/../Plain.md",
        "../outside/Beyond.md",
        "/Plain.md",
        "Folder//Inner.md",
        "./Plain.md",
        "Linked/Beyond.md",
        "Within/Inner.md",
        "Link.md",
        "Back\\slash.md",
        "Nul\0.md",
        "",
    ],
)
def test_c26_c27_a_glance_finds_and_refuses_what_a_long_look_does(root: Path, path: str) -> None:
    files = VaultFiles(root)
    list(files.scan())
    glance = files.glance()
    for _ in range(2):  # the second time its folder is known
        assert glance.stat(VaultPath(path)) == files.stat(VaultPath(path))
        try:
            expected: object = files.read(VaultPath(path))
        except SidecarError as error:
            with pytest.raises(type(error), match=error.message.replace("\\", r"\\").replace(".", r"\.")):
                glance.read(VaultPath(path))
        else:
            assert glance.read(VaultPath(path)) == expected


def test_a_pipe_is_no_file_and_nobody_waits_for_it(root: Path) -> None:
    assert VaultFiles(root).glance().stat(VaultPath("Pipe.md")) is None


def test_a_file_that_comes_or_goes_after_the_first_look_is_seen(root: Path) -> None:
    glance = VaultFiles(root).glance()
    path = VaultPath("Folder/Late.md")
    assert glance.stat(path) is None
    (root / path).write_bytes(b"late")
    assert glance.stat(path) is not None
    assert glance.read(path) == b"late"
    (root / path).unlink()
    assert glance.stat(path) is None
    with pytest.raises(NotFound):
        glance.read(path)


def test_a_file_that_became_a_link_after_the_first_look_is_not_followed(root: Path) -> None:
    glance = VaultFiles(root).glance()
    path = VaultPath("Folder/Inner.md")
    assert glance.stat(path) is not None
    (root / path).unlink()
    (root / path).symlink_to(root.parent / "outside/Beyond.md")
    assert glance.stat(path) is None
    with pytest.raises(SidecarError, match="symbolic link"):
        glance.read(path)


def test_what_is_not_on_this_machine_is_never_opened(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> int:
        raise AssertionError("a file was opened")

    for module in (files_module, glance_module):
        monkeypatch.setattr(module, "is_here", lambda found: found.st_size != len(b"Plain.md"))
    monkeypatch.setattr(os, "open", fail)
    glance = VaultFiles(root).glance()
    path = VaultPath("Plain.md")
    stat = glance.stat(path)
    assert stat is not None
    assert not stat.here
    with pytest.raises(NotHere):
        glance.read(path)


def test_a_file_is_read_to_its_end_in_whatever_pieces_it_comes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = os.read
    monkeypatch.setattr(os, "read", lambda file, size: read(file, min(size, 3)))
    assert VaultFiles(root).glance().read(VaultPath("Folder/Inner.md")) == b"Folder/Inner.md"
