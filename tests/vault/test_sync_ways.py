import json
from pathlib import Path

import pytest

from sidecar.vault.sync_ways import sync_ways


def made(root: Path, files: dict[str, object]) -> Path:
    for name, content in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content))
    return root


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, []),
        (
            {".obsidian/core-plugins.json": {"sync": True}, ".obsidian/sync.json": "{}"},
            ["Obsidian Sync: its plugin is switched on"],
        ),
        ({".obsidian/core-plugins.json": ["graph", "sync"]}, ["Obsidian Sync: its plugin is switched on; no remote"]),
        ({".obsidian/core-plugins.json": {"sync": False}}, []),
        ({".obsidian/core-plugins.json": "{broken"}, []),
        ({".obsidian/core-plugins.json": "3"}, []),
        ({".obsidian/community-plugins.json": ["dataview", "obsidian-git", 3]}, ["the plugin Git: it is switched on"]),
    ],
)
def test_what_obsidian_says(tmp_path: Path, files: dict[str, object], expected: list[str]) -> None:
    root = made(tmp_path / "Vault", files)
    root.mkdir(exist_ok=True)
    ways = [f"{way.name}: {way.detail}" for way in sync_ways(root, ".obsidian")]
    assert len(ways) == len(expected)
    assert all(way.startswith(start) for way, start in zip(ways, expected, strict=True))


def test_git_in_the_vault_or_above_without_its_address(tmp_path: Path) -> None:
    made(tmp_path, {".git/config": '[remote "origin"]\n\turl = https://user:secret@example.com/x\n'})
    (tmp_path / "V").mkdir()
    (way,) = sync_ways(tmp_path / "V", ".obsidian")
    assert (way.name, "with a remote" in way.detail, "secret" in way.detail) == ("git", True, False)
    made(tmp_path / "V", {".git": "gitdir: elsewhere"})
    assert "without a remote" in sync_ways(tmp_path / "V", ".obsidian")[0].detail


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("Dropbox/V", "Dropbox"),
        ("OneDrive - Work/V", "OneDrive"),
        ("GoogleDrive-me@x/My Drive/V", "Google Drive"),
        ("iCloud~md~obsidian/Documents/V", "iCloud Drive"),
        ("Nextcloud/notes/V", "Nextcloud"),
    ],
)
def test_folders_of_services(tmp_path: Path, folder: str, name: str) -> None:
    (tmp_path / folder).mkdir(parents=True)
    assert {way.name for way in sync_ways(tmp_path / folder, ".obsidian")} == {name}


def test_syncthing_leaves_a_mark(tmp_path: Path) -> None:
    (tmp_path / "V/.stfolder").mkdir(parents=True)
    assert [way.name for way in sync_ways(tmp_path / "V", ".obsidian")] == ["Syncthing"]
