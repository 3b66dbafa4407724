import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from sidecar.errors import NotFound, Refused, Unavailable
from sidecar.model.path import VaultPath as P
from sidecar.vault import trash
from sidecar.vault.files import OutsideVault, VaultFiles


@pytest.mark.parametrize(
    ("taken", "name", "is_folder", "expected"),
    [
        ((), "a.md", False, ".trash/a.md"),
        (("A.md", "a 2.MD"), "a.md", False, ".trash/a 3.md"),
        (("docs.v1",), "docs.v1", True, ".trash/docs.v1 2"),
        (("docs.v1",), "docs.v1", False, ".trash/docs 2.v1"),
    ],
)
def test_a7_free_place(tmp_path: Path, taken: tuple[str, ...], name: str, is_folder: bool, expected: str) -> None:
    for other in taken:
        (tmp_path / ".trash").mkdir(exist_ok=True)
        (tmp_path / ".trash" / other).touch()
    assert trash.free_place(VaultFiles(tmp_path), name, is_folder=is_folder) == expected


def test_the_trash_is_read_by_those_who_bring_something_back(tmp_path: Path) -> None:
    (tmp_path / ".trash").mkdir()
    (tmp_path / ".trash/a.md").write_bytes(b"x")
    files = VaultFiles(tmp_path)
    assert trash.current(files, P(".trash/a.md")) == b"x"
    assert trash.current(files, P(".trash/b.md")) is None
    assert trash.current(files, P("b.md")) is None
    with pytest.raises(NotFound):
        trash.read(files, P(".trash/b.md"))
    with pytest.raises(OutsideVault):
        trash.read(files, P("a.md"))


def test_c25_what_the_system_does_not_take_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note = tmp_path / "a.md"
    note.write_bytes(b"x")

    def fail(path: str) -> None:
        raise OSError(5, path)

    monkeypatch.setitem(sys.modules, "send2trash", SimpleNamespace(send2trash=fail))
    with pytest.raises(trash.TrashOutOfReach):
        trash.send_to_system(note)
    assert note.read_bytes() == b"x"

    def lose(path: str) -> None:
        Path(path).unlink()
        fail(path)

    monkeypatch.setitem(sys.modules, "send2trash", SimpleNamespace(send2trash=lose))
    with pytest.raises(Unavailable):
        trash.send_to_system(note)
    monkeypatch.setitem(sys.modules, "send2trash", None)
    with pytest.raises(Refused):
        trash.check_system_trash()
