import json
from pathlib import Path

import pytest

from sidecar.vault.obsidian_settings import (
    CurrentSettings,
    LinkFormat,
    NewFileLocation,
    ObsidianSettings,
    TrashOption,
    read_settings,
)

FULL = {
    "newLinkFormat": "relative",
    "useMarkdownLinks": True,
    "alwaysUpdateLinks": True,
    "trashOption": "local",
    "userIgnoreFilters": ["Archive/", "/\\.draft$/"],
    "newFileLocation": "folder",
    "newFileFolderPath": "Inbox",
    "attachmentFolderPath": "./files",
    "unknown": {"kept": "out"},
}


def write_app(root: Path, text: str, config_dir: str = ".obsidian") -> None:
    (root / config_dir).mkdir(exist_ok=True)
    (root / config_dir / "app.json").write_text(text, encoding="utf-8")


def test_every_setting_is_read(tmp_path: Path) -> None:
    write_app(tmp_path, json.dumps(FULL, indent=2))
    assert read_settings(tmp_path) == ObsidianSettings(
        ".obsidian",
        LinkFormat.RELATIVE,
        use_markdown_links=True,
        always_update_links=True,
        trash_option=TrashOption.LOCAL,
        user_ignore_filters=("Archive/", "/\\.draft$/"),
        new_file_location=NewFileLocation.FOLDER,
        new_file_folder="Inbox",
        attachment_folder="./files",
    )


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "",
        "[1]",
        "{broken",
        '{"userIgnoreFilters": null}',
        '{"newLinkFormat": "odd", "trashOption": 3, "useMarkdownLinks": "yes", "userIgnoreFilters": "x"}',
        '{"attachmentFolderPath": null, "newFileFolderPath": 1, "newFileLocation": []}',
    ],
)
def test_a10_absent_or_broken_means_default(tmp_path: Path, text: str) -> None:
    write_app(tmp_path, text)
    assert read_settings(tmp_path) == ObsidianSettings()


def test_a10_no_settings_at_all(tmp_path: Path) -> None:
    assert read_settings(tmp_path) == ObsidianSettings()
    assert read_settings(tmp_path / "gone") == ObsidianSettings()


def test_a11_renamed_settings_folder_is_found(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    write_app(tmp_path, '{"trashOption": "none"}', ".config-mine")
    settings = read_settings(tmp_path)
    assert (settings.config_dir, settings.trash_option) == (".config-mine", TrashOption.NONE)


def test_a11_of_several_the_usual_one_is_taken(tmp_path: Path) -> None:
    write_app(tmp_path, '{"trashOption": "none"}', ".obs2")
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / ".obsidian/workspace.json").write_text("{}")
    settings = read_settings(tmp_path)
    assert (settings.config_dir, settings.trash_option) == (".obsidian", TrashOption.SYSTEM)


def test_a12_settings_that_change_are_read_again(tmp_path: Path) -> None:
    settings = CurrentSettings(tmp_path)
    assert settings.now() == ObsidianSettings()
    write_app(tmp_path, '{"userIgnoreFilters": ["A/"]}')
    read = settings.now()
    assert read.user_ignore_filters == ("A/",)
    assert settings.now() is read
    write_app(tmp_path, '{"userIgnoreFilters": ["A/", "B/"]}')
    assert settings.now().user_ignore_filters == ("A/", "B/")
    (tmp_path / ".obsidian/app.json").unlink()
    assert settings.now().user_ignore_filters == ()


def test_a12_renamed_settings_folder_is_watched_too(tmp_path: Path) -> None:
    write_app(tmp_path, "{}", ".config-mine")
    settings = CurrentSettings(tmp_path)
    write_app(tmp_path, '{"userIgnoreFilters": ["A/"]}', ".config-mine")
    assert settings.now().user_ignore_filters == ("A/",)
