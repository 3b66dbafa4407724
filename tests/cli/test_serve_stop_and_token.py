"""The commands around the serving process, as a person types them."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.daemon.daemons import Home, until


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    (tmp_path / "Vault").mkdir()
    (tmp_path / "Vault/Note.md").write_text("alpha")
    made = Home(tmp_path / "state", tmp_path / "Vault")
    yield made
    made.end()


def test_token_shows_and_replaces(home: Home) -> None:
    first = home.command("token", "show").stdout
    assert home.command("token", "show").stdout == home.command("token").stdout == first
    assert home.command("token", "rotate").stdout not in ("", first)
    if sys.platform != "win32":
        assert (home.root / "run/http-token").stat().st_mode & 0o077 == 0


def test_stop_without_a_process_is_no_error(home: Home) -> None:
    done = home.command("stop")
    assert (done.returncode, done.stdout) == (0, "No process is serving.\n")


@pytest.mark.slow
def test_serve_says_where_and_for_whom(home: Home) -> None:
    home.start("-W", "error", "-m", "sidecar", "serve", str(home.vault))
    until(lambda: home.endpoint is not None and home.endpoint.vaults)
    second = home.command("serve", str(home.vault))
    assert second.returncode == 1
    assert "vault-sidecar stop" in second.stderr
    assert "served by a running process" in home.command("status", "--vault", str(home.vault)).stdout
    assert "Note.md" in home.command("search", str(home.vault), "alpha").stdout
    (home.vault / "Bad.md").write_text("---\na: [\n---\n")
    until(lambda: "1 error, 0 warnings" in home.command("doctor", str(home.vault)).stdout)
    assert home.command("doctor", str(home.vault)).returncode == 1
    (finding,) = json.loads(home.command("doctor", str(home.vault), "--json").stdout)
    assert (finding["path"], finding["severity"]) == ("Bad.md", "error")
    refused = home.command("index", str(home.vault))
    assert (refused.returncode, "status --vault" in refused.stderr) == (1, True)
    assert home.command("stop").stdout == "Stopped.\n"


@pytest.mark.slow
def test_a_project_can_be_named_instead_of_a_vault(home: Home) -> None:
    import anyio

    from tests.daemon.daemons import said

    home.command("project", "add", str(home.vault), "--name", "mine")

    async def play() -> None:
        for arguments in (("--project", "mine"), ("--home", str(home.root))):
            async with home.client("auto", *arguments) as client:
                assert (await said(client, "search_notes", query="alpha"))["project"] == "mine"

    anyio.run(play)
