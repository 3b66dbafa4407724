import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples-vault"


def command(state: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "VAULT_SIDECAR_HOME": str(state)}
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "sidecar", *arguments],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_projects_come_and_go(tmp_path: Path) -> None:
    (tmp_path / "My Vault").mkdir()
    state = tmp_path / "state"
    assert "the default" in command(state, "project", "add", str(tmp_path / "My Vault"), "--name", "mine").stdout
    (listed,) = json.loads(command(state, "project", "list", "--json").stdout)
    assert (listed["name"], listed["path"], listed["is_default"]) == ("mine", str(tmp_path / "My Vault"), True)
    assert "mine" in command(state, "project", "list").stdout
    assert "untouched" in command(state, "project", "remove", "mine").stdout
    failed = command(state, "project", "default", "mine")
    assert (failed.returncode, failed.stderr.splitlines()[0]) == (1, "vault-sidecar: There is no project 'mine'.")


@pytest.mark.parametrize(("text", "code"), [("fine", 0), ("[[nowhere]]", 0), ("---\na: [\n---\n", 1)])
def test_the_doctor_fails_on_errors_only(tmp_path: Path, text: str, code: int) -> None:
    (tmp_path / "V").mkdir()
    (tmp_path / "V/n.md").write_text(text)
    assert command(tmp_path / "state", "doctor", str(tmp_path / "V")).returncode == code


def test_the_examples_have_only_the_one_open_link_they_show(tmp_path: Path) -> None:
    findings = json.loads(command(tmp_path / "state", "doctor", str(EXAMPLES), "--json").stdout)
    assert [(f["kind"], f["message"]) for f in findings] == [("unresolved", "Nothing answers to [[Beehive trial]].")]


@pytest.mark.skipif(sys.platform != "linux", reason="Obsidian's list lies elsewhere")
def test_vaults_that_obsidian_knows_can_be_added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HOME", str(tmp_path))
    state = tmp_path / "state"
    for name in ("Garden", "Work", "Work/Inner"):
        (tmp_path / name).mkdir()
    vaults = {str(n): {"path": str(tmp_path / name)} for n, name in enumerate(("Garden", "Work", "Work/Inner", "gone"))}
    (tmp_path / "config/obsidian").mkdir(parents=True)
    (tmp_path / "config/obsidian/obsidian.json").write_text(json.dumps({"vaults": vaults}))
    command(state, "project", "add", str(tmp_path / "Work"))
    found = json.loads(command(state, "project", "list", "--discover", "--json").stdout)
    assert found == [str(tmp_path / "Garden"), str(tmp_path / "Work/Inner")]
    added = command(state, "project", "add", "--discover", "--workspace", "mine")
    assert added.stdout == f"Added 'Garden' ({tmp_path / 'Garden'}).\n"
    assert "inside one another" in added.stderr
    listed = json.loads(command(state, "project", "list", "--json").stdout)
    assert [(p["name"], p["workspace"]) for p in listed] == [("Garden", "mine"), ("Work", "personal")]
    assert command(state, "project", "add", "--discover").stdout == "Obsidian knows no other vault.\n"
    assert command(state, "project", "add").returncode == 1


def test_removing_deletes_the_index_and_keeps_the_journal(tmp_path: Path) -> None:
    (tmp_path / "V").mkdir()
    (tmp_path / "V/n.md").write_text("alpha")
    state = tmp_path / "state"
    command(state, "index", str(tmp_path / "V"))
    command(state, "project", "add", str(tmp_path / "V"))
    command(state, "project", "remove", "V")
    (folder,) = (state / "projects").iterdir()
    assert sorted(path.name for path in folder.iterdir()) == ["journal", "proposals"]
    assert (tmp_path / "V/n.md").read_text() == "alpha"
