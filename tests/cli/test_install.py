import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


def install(home: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {
        **os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"), "VAULT_SIDECAR_HOME": str(home / "state")
    }  # fmt: skip
    (home / "Vault").mkdir(exist_ok=True)
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "sidecar", "install", *arguments],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return tmp_path / ".cursor/mcp.json"


def test_other_servers_and_settings_stay_and_the_old_file_is_kept(tmp_path: Path, config: Path) -> None:
    config.parent.mkdir()
    old = '{"theme": "dark", "mcpServers": {"other": {"command": "x"}}}'
    config.write_text(old)
    assert install(tmp_path, "cursor", str(tmp_path / "Vault")).returncode == 0
    now = json.loads(config.read_text())
    assert now["theme"] == "dark"
    assert set(now["mcpServers"]) == {"other", "vault-sidecar"}
    entry = now["mcpServers"]["vault-sidecar"]
    assert Path(entry["command"]).is_absolute()
    assert str(tmp_path / "Vault") in entry["args"]
    assert config.with_name("mcp.json.before-vault-sidecar").read_text() == old


def test_printing_writes_nothing(tmp_path: Path, config: Path) -> None:
    assert "mcpServers" in install(tmp_path, "cursor", str(tmp_path / "Vault"), "--print").stdout
    assert not config.exists()


def test_what_cannot_be_read_is_left_alone(tmp_path: Path, config: Path) -> None:
    config.parent.mkdir()
    config.write_text("{ not json")
    done = install(tmp_path, "cursor", str(tmp_path / "Vault"))
    assert (done.returncode, config.read_text()) == (1, "{ not json")
    assert "not valid JSON" in done.stderr


def test_the_first_configuration_is_never_lost_and_the_same_again_writes_nothing(tmp_path: Path, config: Path) -> None:
    config.parent.mkdir()
    config.write_text('\ufeff{"mcpServers": {}}', encoding="utf-8")
    vault = str(tmp_path / "Vault")
    install(tmp_path, "cursor", vault)
    first = config.read_text()
    assert "connected already" in install(tmp_path, "cursor", vault).stdout
    install(tmp_path, "cursor", vault, "--name", "second")
    assert set(json.loads(config.read_text())["mcpServers"]) == {"vault-sidecar", "second"}
    kept = {file.name: file.read_text("utf-8") for file in config.parent.iterdir() if file != config}
    assert kept == {
        "mcp.json.before-vault-sidecar": '\ufeff{"mcpServers": {}}',
        "mcp.json.before-vault-sidecar-2": first,
    }


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither")
def test_a_linked_file_stays_linked_and_private(tmp_path: Path, config: Path) -> None:
    config.parent.mkdir()
    real = tmp_path / "dotfiles.json"
    real.write_text('{"mcpServers": {"other": {"env": {"KEY": "secret"}}}}')
    real.chmod(0o600)
    config.symlink_to(real)
    assert install(tmp_path, "cursor", str(tmp_path / "Vault")).returncode == 0
    assert config.is_symlink()
    assert "vault-sidecar" in json.loads(real.read_text())["mcpServers"]
    assert [file.stat().st_mode & 0o777 for file in tmp_path.glob("dotfiles.json*")] == [0o600, 0o600]


@pytest.mark.parametrize("data", [b"\xff\xfe{\x00}", b"[]", b'{"mcpServers": []}'])
def test_what_is_no_configuration_is_left_alone(tmp_path: Path, config: Path, data: bytes) -> None:
    config.parent.mkdir()
    config.write_bytes(data)
    done = install(tmp_path, "cursor", str(tmp_path / "Vault"))
    assert (done.returncode, config.read_bytes()) == (1, data)
    assert done.stderr.startswith("vault-sidecar: ")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, config: Path) -> None:
    config.parent.write_text("a file where the folder should be")
    done = install(tmp_path, "cursor", str(tmp_path / "Vault"))
    assert done.returncode == 1
    assert done.stderr.startswith(f"vault-sidecar: {config} cannot be ")


@pytest.mark.skipif(sys.platform != "linux", reason="the folder differs elsewhere")
def test_claude_desktop_has_its_own_place(tmp_path: Path) -> None:
    assert install(tmp_path, "claude-desktop", str(tmp_path / "Vault"), "--name", "mine").returncode == 0
    written = json.loads((tmp_path / ".config/Claude/claude_desktop_config.json").read_text())
    assert list(written["mcpServers"]) == ["mine"]


def test_claude_code_gets_a_command_to_run(tmp_path: Path) -> None:
    assert "claude mcp add vault-sidecar -- " in install(tmp_path, "claude-code", str(tmp_path / "Vault")).stdout


def test_claude_code_may_keep_its_memories_in_the_vault(tmp_path: Path) -> None:
    said = install(tmp_path, "claude-code", str(tmp_path / "Vault"), "--memory").stdout
    assert f'"autoMemoryDirectory": "{(tmp_path / "Vault").resolve()}/Memory"' in said
    assert install(tmp_path, "cursor", str(tmp_path / "Vault"), "--memory").returncode == 1
