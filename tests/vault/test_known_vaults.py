import json
import sys
from pathlib import Path

import pytest

from sidecar.vault.known_vaults import lists_of_vaults, vaults_in


def test_vaults_that_are_there(tmp_path: Path) -> None:
    (tmp_path / "B").mkdir()
    (tmp_path / "A").mkdir()
    vaults = {
        "1": {"path": str(tmp_path / "B"), "ts": 1},
        "2": {"path": str(tmp_path / "gone")},
        "3": {"path": str(tmp_path / "A")},
        "4": {"path": 3},
    }
    file = tmp_path / "obsidian.json"
    file.write_text(json.dumps({"vaults": vaults}), encoding="utf-8")
    assert vaults_in(file) == (tmp_path / "A", tmp_path / "B")


@pytest.mark.parametrize("text", [None, "", "[]", '{"vaults": []}', '{"vaults": {"1": 3}}', "{}"])
def test_no_list_or_a_broken_one_names_none(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "obsidian.json").write_text(text, encoding="utf-8")
    assert vaults_in(tmp_path / "obsidian.json") == ()


@pytest.mark.skipif(sys.platform != "linux", reason="Linux has three places")
def test_where_the_list_is(tmp_path: Path) -> None:
    places = lists_of_vaults({"XDG_CONFIG_HOME": str(tmp_path)})
    assert places[0] == tmp_path / "obsidian/obsidian.json"
    assert len(places) == 3
