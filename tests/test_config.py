import sys
import uuid
from pathlib import Path

import pytest

from sidecar.config import Settings, StateFolder, load_settings, project_id_of
from sidecar.errors import Invalid


def test_a_missing_file_means_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path / "config.toml") == Settings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[access\n", "line 1"),
        ("[write]\n\noverwrite = 'maybe'\n", "line 3: 'write.overwrite'"),
        ("[acces]\n", "line 1: 'acces'"),
        ("[access]\nread_only = 1\n", "line 2: 'access.read_only'"),
    ],
)
def test_a_bad_file_is_named_with_line_and_key(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "config.toml").write_text(text, encoding="utf-8")
    with pytest.raises(Invalid) as error:
        load_settings(tmp_path / "config.toml")
    assert said in error.value.message


def test_a_vault_has_one_id_by_whatever_path(tmp_path: Path) -> None:
    (tmp_path / "Vault").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "Vault")
    assert project_id_of(tmp_path / "Vault") == project_id_of(tmp_path / "link")
    assert str(uuid.UUID(project_id_of(tmp_path / "Vault"))) == project_id_of(tmp_path / "Vault")
    assert project_id_of(tmp_path / "Vault") != project_id_of(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no mode bits")
def test_our_folders_are_the_users_alone(tmp_path: Path) -> None:
    state = StateFolder(tmp_path / "state")
    assert state.make(state.run).stat().st_mode & 0o777 == 0o700
    assert state.root.stat().st_mode & 0o777 == 0o700


def test_the_place_can_be_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VAULT_SIDECAR_HOME", str(tmp_path))
    assert StateFolder.default().root == tmp_path
