"""The companion plugin put into a vault, and which versions are where."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from importlib import resources
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sidecar import __version__
from sidecar.cli.main import app
from sidecar.daemon.endpoint import Endpoint
from sidecar.errors import Unavailable

FILES = {"manifest.json": b'{"id": "vault-sidecar", "version": "1.2.3"}', "main.js": b"code", "styles.css": b"css"}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (tmp_path / "Vault/.obsidian").mkdir(parents=True)
    return tmp_path / "Vault"


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run the command on a copy of Vault Sidecar whose plugin is built."""
    shipped = tmp_path / "package/obsidian_plugin"
    shipped.mkdir(parents=True)
    for name, data in FILES.items():
        (shipped / name).write_bytes(data)
    monkeypatch.setattr(resources, "files", lambda _package: shipped.parent)
    monkeypatch.setenv("VAULT_SIDECAR_HOME", str(tmp_path / "state"))
    return lambda *arguments: CliRunner().invoke(app, ["plugin", *map(str, arguments)], catch_exceptions=True)


def test_installing_puts_three_files_there_and_says_what_to_click(vault: Path, run: Callable[..., Result]) -> None:
    done = run("install", vault)
    assert done.exit_code == 0
    folder = vault / ".obsidian/plugins/vault-sidecar"
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == FILES
    assert "Installed 1.2.3" in done.output
    assert "Community plugins" in done.output
    assert not (vault / ".obsidian/community-plugins.json").exists(), "turning it on is the person's click"


def test_installing_again_keeps_the_settings_and_says_how_to_reload(vault: Path, run: Callable[..., Result]) -> None:
    folder = vault / ".obsidian/plugins/vault-sidecar"
    folder.mkdir(parents=True)
    (folder / "data.json").write_text("{}")
    (folder / "manifest.json").write_text('{"version": "1.0.0"}')
    (vault / ".obsidian/community-plugins.json").write_text('["other", "vault-sidecar"]')
    done = run("install", vault)
    assert "before: 1.0.0" in done.output
    assert "turn it off and on again" in done.output
    assert (folder / "data.json").read_text() == "{}"
    assert sorted(file.name for file in folder.iterdir()) == ["data.json", *sorted(FILES)]


def test_status_tells_the_versions(vault: Path, run: Callable[..., Result]) -> None:
    told = {
        "installed": None,
        "enabled": False,
        "shipped": "1.2.3",
        "command": __version__,
        "daemon": None,
        "served": False,
    }
    assert json.loads(run("status", vault, "--json").output) == told
    run("install", vault)
    assert json.loads(run("status", vault, "--json").output) == {**told, "installed": "1.2.3"}
    (vault / ".obsidian/plugins/vault-sidecar/manifest.json").write_text('{"version": "1.0.0"}')
    text = run("status", vault).output
    assert "plugin in the vault: 1.0.0, not turned on" in text
    assert "none runs" in text
    assert "To update it: vault-sidecar plugin install" in text


@pytest.mark.parametrize("damage", ["", "[", "[]", "{}", '{"version"'])
def test_a_damaged_manifest_is_no_version(vault: Path, run: Callable[..., Result], damage: str) -> None:
    folder = vault / ".obsidian/plugins/vault-sidecar"
    folder.mkdir(parents=True)
    (folder / "manifest.json").write_text(damage)
    assert json.loads(run("status", vault, "--json").output)["installed"] is None


def test_only_a_vault_takes_it(tmp_path: Path, run: Callable[..., Result]) -> None:
    (tmp_path / "Plain").mkdir()
    done = run("install", tmp_path / "Plain")
    assert done.exit_code != 0
    assert not (tmp_path / "Plain/.obsidian").exists()


def test_without_a_built_plugin_it_says_so(vault: Path, run: Callable[..., Result], tmp_path: Path) -> None:
    (tmp_path / "package/obsidian_plugin/main.js").unlink()
    done = run("install", vault)
    assert done.exit_code != 0
    assert "not built" in str(done.exception)
    assert not (vault / ".obsidian/plugins").exists()
    assert json.loads(run("status", vault, "--json").output)["shipped"] is None


def test_port_and_token_are_shown_while_a_daemon_runs(run: Callable[..., Result], tmp_path: Path) -> None:
    assert isinstance(run("token").exception, Unavailable)
    file = tmp_path / "state/run/endpoint.json"
    file.parent.mkdir(parents=True)
    endpoint = Endpoint(1, "1.0", "secret", None, 2, 27125, "i")
    file.write_text(json.dumps(asdict(endpoint)))
    assert run("token").output.splitlines()[:2] == ["port: 27125", "token: secret"]
    assert json.loads(run("token", "--json").output) == {"port": 27125, "token": "secret", "file": str(file)}
    file.write_text(json.dumps(asdict(replace(endpoint, port=None))))
    assert isinstance(run("token").exception, Unavailable), "it speaks with shims only"
