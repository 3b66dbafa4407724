import os
from pathlib import Path
from typing import Any, cast

import pytest

from sidecar.errors import NotFound, Refused, Unavailable
from sidecar.model.path import VaultPath
from sidecar.vault import files as files_module
from sidecar.vault import glance as glance_module
from sidecar.vault.files import OutsideVault, VaultFiles
from sidecar.vault.placeholders import NotHere

NFD = "Cafe\u0301 Notes.md"
NFC = VaultPath("Caf\u00e9 Notes.md")


@pytest.fixture(params=[False, True], ids=["plain", "looks names up as on macOS"], autouse=True)
def _lookup(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files_module, "FOLDS_CASE", request.param)
    monkeypatch.setattr(glance_module, "FOLDS_CASE", request.param)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    for path, text in {
        "Important.md": "important",
        "Notes/Deep/a.md": "a",
        ".obsidian/plugins/x/data.json": "secret",
        ".trash/old.md": "old",
        NFD: "coffee",
    }.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def test_scan_lists_what_stat_finds(vault: Path) -> None:
    files = VaultFiles(vault)
    found = {stat.path: stat for stat in files.scan()}
    assert set(found) == {"Important.md", "Notes/Deep/a.md", NFC}
    assert all(files.stat(path) == stat for path, stat in found.items())
    assert found[VaultPath("Important.md")].size == 9
    assert found[VaultPath("Important.md")].mtime_ns == (vault / "Important.md").stat().st_mtime_ns


def test_scan_changes_nothing(vault: Path) -> None:
    def snapshot() -> list[tuple[str, int, int]]:
        return [(str(p), p.lstat().st_mtime_ns, p.lstat().st_size) for p in sorted(vault.rglob("*"))]

    before = snapshot()
    files = VaultFiles(vault)
    for stat in files.scan():
        files.read(stat.path)
    assert snapshot() == before


def test_folders(vault: Path) -> None:
    files = VaultFiles(vault)
    assert set(files.folders()) == {"Notes", "Notes/Deep"}
    assert files.folder_exists(VaultPath(""))
    assert files.folder_exists(VaultPath("Notes/Deep"))
    assert not files.folder_exists(VaultPath("Important.md"))
    assert not files.folder_exists(VaultPath("Nowhere"))
    assert not files.folder_exists(VaultPath(".obsidian"))


def test_folders_in_are_those_that_lie_there(vault: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "Inner").mkdir(parents=True)
    (vault / "Linked").symlink_to(outside, target_is_directory=True)
    (vault / "Again").symlink_to(vault / "Notes", target_is_directory=True)
    (vault / "Cafe\u0301" / ".hidden").mkdir(parents=True)
    (vault / "Notes" / "Empty" / "Deeper").mkdir(parents=True)
    files = VaultFiles(vault)
    every = files.folders()
    assert {"Linked", "Linked/Inner", "Caf\u00e9", "Notes/Empty/Deeper"} <= set(every)
    for folder in (VaultPath(""), *every, VaultPath("Nowhere"), VaultPath("Important.md")):
        for levels in range(4):
            deepest = levels + (folder.count("/") + 1 if folder else 0)
            expected = [path for path in every if path.is_under(folder) and path.count("/") < deepest]
            assert sorted(files.folders_in(folder, levels)) == sorted(expected), (folder, levels)
    with pytest.raises(Refused):
        files.folders_in(VaultPath(".obsidian"), 1)


@pytest.mark.parametrize("is_scanned", [False, True])
def test_c16_nfd_file_is_read_by_its_nfc_name_and_keeps_its_spelling(vault: Path, is_scanned: bool) -> None:
    files = VaultFiles(vault)
    if is_scanned:
        list(files.scan())
    assert files.read(NFC) == b"coffee"
    assert files.exists(NFC)
    stat = files.stat(NFC)
    assert stat is not None
    assert stat.path == NFC
    assert files.absolute(NFC) == vault / NFD
    assert files.absolute(VaultPath("New caf\u00e9.md")).name == "New caf\u00e9.md"


def test_c16_spelling_that_changed_since_the_scan_is_found(vault: Path) -> None:
    files = VaultFiles(vault)
    list(files.scan())
    (vault / NFD).rename(vault / NFC)
    assert files.read(NFC) == b"coffee"
    assert files.absolute(NFC) == vault / NFC


def test_read_of_what_is_not_there(vault: Path) -> None:
    files = VaultFiles(vault)
    with pytest.raises(NotFound, match=r"There is no file 'Nope\.md'"):
        files.read(VaultPath("Nope.md"))
    with pytest.raises(NotFound, match="is a folder"):
        files.read(VaultPath("Notes"))
    assert files.stat(VaultPath("Nope.md")) is None
    assert files.stat(VaultPath("Notes")) is None
    assert not files.exists(VaultPath("Important.md/x.md"))


def test_unreadable_file_is_unavailable(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", fail)
    with pytest.raises(Unavailable, match="Permission denied"):
        VaultFiles(vault).read(VaultPath("Important.md"))


def test_missing_vault_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        list(VaultFiles(tmp_path / "gone").scan())
    with pytest.raises(Unavailable):
        VaultFiles(tmp_path / "gone").folders_in(VaultPath(""), 1)


@pytest.mark.parametrize(
    "path",
    [
        ".obsidian/plugins/x/data.json",
        "Notes/.hidden.md",
        "../other.md",
        "Notes/../../x.md",
        "/etc/hostname",
        "Notes/./a.md",
        "Notes//a.md",
        "Notes\\a.md",
        "a\0.md",
        ".trash/old.md",
    ],
)
def test_c27_hidden_and_escaping_paths_are_refused(vault: Path, path: str) -> None:
    files = VaultFiles(vault)
    with pytest.raises(Refused):
        files.read(VaultPath(path))
    with pytest.raises(Refused):
        files.absolute(VaultPath(path))
    assert files.stat(VaultPath(path)) is None
    assert not files.exists(VaultPath(path))


def test_c26_link_to_a_file_outside_is_refused(vault: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.md").write_text("secret")
    (vault / "Out.md").symlink_to(tmp_path / "secret.md")
    files = VaultFiles(vault)
    path = VaultPath("Out.md")
    with pytest.raises(OutsideVault, match="symbolic link"):
        files.read(path)
    with pytest.raises(OutsideVault):
        files.absolute(path)
    assert files.stat(path) is None
    assert files.exists(path), "the name is taken nevertheless"


def test_c26_alias_of_a_file_inside_is_never_written_through(vault: Path) -> None:
    (vault / "alias.md").symlink_to("Important.md")
    files = VaultFiles(vault)
    with pytest.raises(OutsideVault):
        files.absolute(VaultPath("alias.md"))
    assert "alias.md" not in {stat.path for stat in files.scan()}


def test_c26_linked_folder_inside_is_one_folder(vault: Path) -> None:
    (vault / "Twin").symlink_to("Notes")
    files = VaultFiles(vault)
    assert {stat.path for stat in files.scan()} == {"Important.md", "Notes/Deep/a.md", NFC}
    for path in (VaultPath("Twin/Deep/a.md"), VaultPath("Twin/new.md")):
        with pytest.raises(OutsideVault):
            files.absolute(path)
    with pytest.raises(OutsideVault):
        files.read(VaultPath("Twin/Deep/a.md"))
    assert files.stat(VaultPath("Twin/Deep/a.md")) is None


@pytest.mark.parametrize("is_scanned", [False, True])
def test_a6_linked_folder_outside_is_read_but_never_written(vault: Path, tmp_path: Path, is_scanned: bool) -> None:
    outside = tmp_path / "outside"
    (outside / "deep").mkdir(parents=True)
    (outside / "deep/b.md").write_text("b")
    (outside / "deep/escape").symlink_to(vault)
    (vault / "link").symlink_to(outside)
    files = VaultFiles(vault)
    if is_scanned:
        list(files.scan())
    path = VaultPath("link/deep/b.md")
    assert files.read(path) == b"b"
    assert files.stat(path) is not None
    assert path in {stat.path for stat in files.scan()}
    assert files.folder_exists(VaultPath("link/deep"))
    with pytest.raises(OutsideVault):
        files.absolute(path)
    with pytest.raises(OutsideVault):
        files.read(VaultPath("link/deep/escape/Important.md"))


def test_vault_that_is_itself_reached_by_a_link(vault: Path, tmp_path: Path) -> None:
    (tmp_path / "door").symlink_to(vault)
    files = VaultFiles(tmp_path / "door")
    assert files.root == vault
    assert files.read(VaultPath("Important.md")) == b"important"


def test_trash_place_is_only_below_the_trash(vault: Path) -> None:
    files = VaultFiles(vault)
    assert files.trash_place(VaultPath(".trash/old.md")) == vault / ".trash/old.md"
    for path in (".obsidian/app.json", "Notes/a.md", ".trash", ".trash/../x.md", ".trash/.x.md", ".trashed/x.md"):
        with pytest.raises(Refused):
            files.trash_place(VaultPath(path))
    (vault / ".trash/old.md").unlink()
    (vault / ".trash").rmdir()
    (vault / ".trash").symlink_to(vault / "Notes")
    with pytest.raises(OutsideVault):
        files.trash_place(VaultPath(".trash/old.md"))


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("important.md", "Important.md"),
        ("Important.md", "Important.md"),
        ("NOTES/deep/A.md", "Notes/Deep/a.md"),
        ("notes", "Notes"),
        ("CAF\u00c9 notes.MD", NFC),
        ("Importantt.md", None),
        ("notes/none.md", None),
        ("Important.md/x", None),
    ],
)
def test_f5_find_case(vault: Path, asked: str, found: str | None) -> None:
    assert VaultFiles(vault).find_case(VaultPath(asked)) == found


def test_f5_find_case_prefers_the_very_name(vault: Path) -> None:
    (vault / "notes").mkdir()
    (vault / "notes/b.md").write_text("b")
    files = VaultFiles(vault)
    assert files.find_case(VaultPath("notes")) == "notes"
    assert files.find_case(VaultPath("Notes")) == "Notes"
    assert files.find_case(VaultPath("NOTES/B.md")) == "notes/b.md"


def test_folder_that_fails_does_not_stop_a_scan(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scandir = os.scandir

    def failing(place: Path) -> object:
        if str(place).endswith("Deep"):
            raise PermissionError(13, "Permission denied")
        return scandir(place)

    monkeypatch.setattr(os, "scandir", failing)
    files = VaultFiles(vault)
    assert {stat.path for stat in files.scan()} == {"Important.md", NFC}
    assert [(problem.path, problem.reason) for problem in files.problems] == [("Notes/Deep", "Permission denied")]


@pytest.fixture
def never_opened(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening a file of the vault fails, as it must not happen to what a cloud service would then fetch."""
    really_open = os.open

    def fail_inside(place: object, *arguments: Any, **named: Any) -> int:
        assert not str(place).startswith(str(vault)), "a file was opened"
        return really_open(cast("str", place), *arguments, **named)

    def fail(*_: object, **__: object) -> object:
        raise AssertionError("a file was opened")

    monkeypatch.setattr(Path, "read_bytes", fail)
    monkeypatch.setattr(Path, "open", fail)
    monkeypatch.setattr(os, "open", fail_inside)


@pytest.mark.usefixtures("never_opened")
@pytest.mark.parametrize("is_scanned", [False, True])
def test_what_is_not_on_this_machine_is_listed_and_never_opened(
    vault: Path, is_scanned: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    (vault / "Important.md").rename(vault / ".Important.md.icloud")
    monkeypatch.setattr(files_module, "is_here", lambda found: found.st_size != len(b"coffee"))
    files = VaultFiles(vault)
    if is_scanned:
        assert {stat.path: stat.here for stat in files.scan()} == {
            "Important.md": False,
            NFC: False,
            "Notes/Deep/a.md": True,
        }
    for path in (VaultPath("Important.md"), NFC):
        stat = files.stat(path)
        assert stat is not None
        assert not stat.here
        assert files.exists(path)
        assert files.find_case(VaultPath(path.upper())) == path
        with pytest.raises(NotHere, match=f"'{path}' is not on this machine"):
            files.read(path)
        with pytest.raises(NotHere):
            files.absolute(path)


def test_a_file_is_read_again_once_it_was_downloaded_and_not_when_it_went(vault: Path) -> None:
    files = VaultFiles(vault)
    path = VaultPath("Important.md")
    placeholder = vault / ".Important.md.icloud"
    list(files.scan())
    (vault / path).rename(placeholder)
    with pytest.raises(NotHere):
        files.read(path)
    list(files.scan())
    placeholder.rename(vault / path)
    assert files.read(path) == b"important"
    assert files.absolute(path) == vault / path
    placeholder.write_bytes(b"left behind")
    assert files.read(path) == b"important"
