"""Projects that come and go while a real daemon serves."""

import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from sidecar.config import project_id_of
from sidecar.daemon.endpoint import vault_key
from tests.daemon.daemons import Home, said, until

pytestmark = pytest.mark.slow
UNTIED = ("--tools", "full")


def open_vaults(home: Home) -> dict[str, str]:
    """Return what the daemon publishes about the vaults that it has open."""
    file = home.root / "run/endpoint.json"
    told: dict[str, str] = json.loads(file.read_text())["vaults"] if file.exists() else {}
    return told


async def found(client: Client, query: str, total: int, **arguments: Any) -> None:
    with anyio.fail_after(20):
        while (await said(client, "search_notes", query=query, **arguments))["total"] != total:  # noqa: ASYNC110 - the test asks as a client does
            await anyio.sleep(0.05)


def test_a_project_created_by_an_agent_is_watched_at_once_and_forgotten_at_once(home: Home, tmp_path: Path) -> None:
    new = tmp_path / "New"

    async def play() -> None:
        async with home.client("auto", *UNTIED) as client:
            await said(client, "create_memory_project", project_name="home", project_path=str(home.vault))
            made = await said(client, "create_memory_project", project_name="new", project_path=str(new))
            assert open_vaults(home)[vault_key(new)] == made["external_id"]
            (new / "Outside.md").write_text("platypus", encoding="utf-8")
            await found(client, "platypus", 1, project="new")
            listed = await client.call_tool("bm_list", {})
            assert listed.structured_content == {"result": listed.content[0].text}  # type: ignore[union-attr]
            change = (await said(client, "write_note", project="new", title="Kept", directory="", content="x"))[
                "change"
            ]
            async with home.client("auto", "--project", "new") as tied:
                assert (await said(tied, "search_notes", query="platypus"))["total"] == 1
                refused = await client.call_tool("delete_project", {"project_name": "new"})
                assert refused.is_error
                assert "connected to 'new'" in str(refused.content)
            with anyio.fail_after(10):
                while (await client.call_tool("delete_project", {"project_name": "new"})).is_error:  # noqa: ASYNC110 - it takes a moment to leave
                    await anyio.sleep(0.05)
            assert vault_key(new) not in open_vaults(home)
            state = home.root / "projects" / made["external_id"]
            assert sorted(path.name for path in state.iterdir()) == ["journal", "proposals"]
            assert sorted(path.name for path in new.iterdir()) == ["Kept.md", "Outside.md"]
            (new / "Later.md").write_text("platypus two", encoding="utf-8")
            await said(client, "create_memory_project", project_name="again", project_path=str(new))
            await found(client, "platypus", 2, project="again")
            await said(client, "undo", project="again", change=change)
            assert not (new / "Kept.md").exists()

    anyio.run(play)
    assert home.log.count("Opened a vault") == 3
    assert home.log.count("Closed a vault") == 1


def test_the_command_line_tells_the_process_that_serves(home: Home, tmp_path: Path) -> None:
    other = tmp_path / "Other"
    other.mkdir()
    assert "Added 'My Vault'" in home.command("project", "add", str(home.vault)).stdout
    home.serve()
    assert open_vaults(home) == {}
    added = home.command("project", "add", str(other), "--workspace", "team")
    assert (added.stdout, added.stderr) == (f"Added 'Other' ({other}).\n", "")
    until(lambda: open_vaults(home) == {vault_key(other): project_id_of(other)})
    refused = home.command("project", "remove", "My Vault")
    assert refused.returncode == 1
    assert "is the default project" in refused.stderr
    gone = home.command("project", "remove", "other")
    assert (gone.returncode, gone.stderr) == (0, "")
    assert "Forgotten: project Other" in gone.stdout
    assert open_vaults(home) == {}
    listed = json.loads(home.command("project", "list", "--json").stdout)
    assert [project["name"] for project in listed] == ["My Vault"]
