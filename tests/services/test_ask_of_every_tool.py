"""Under an ``ask`` rule no tool writes anything: each change becomes a proposal, and the answer says so."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from sidecar.config import AccessSettings, MemorySettings, Settings, StateFolder
from sidecar.model.proposal import ProposalState
from sidecar.services.caller import Audience
from sidecar.tools.families import FAMILIES
from tests.conftest import Served

MEMORY = "---\nname: garden-fact\ndescription: about the garden\nmetadata:\n  type: user\n---\nroses\n"
FILES = {
    ".obsidian/app.json": '{"trashOption":"local"}',
    "Open.md": "# Open\n\ntext\n\n## Part\n\nold\n",
    "Folder/Names.md": "Open is named here\n",
    "Folder/Linked.md": "[[Open]]\n",
    "memory/garden-fact.md": MEMORY,
    "memory/MEMORY.md": "- [Gone](gone.md) - a memory that is no more\n",
    "Board.canvas": '{"nodes":[{"id":"a","type":"text","text":"x","x":0,"y":0,"width":99,"height":99}],"edges":[]}',
    "Twins.canvas": '{"nodes":[{"id":"a","type":"text","text":"x","x":0,"y":0,"width":99,"height":99},'
    '{"id":"b","type":"text","text":"y","x":5,"y":5,"width":99,"height":99}],"edges":[]}',
}
CALLS: Mapping[str, list[dict[str, Any]]] = {
    "write_note": [
        {"title": "Made", "content": "x", "directory": "Made"},
        {"title": "Open", "content": "x", "directory": "", "overwrite": True},
    ],
    "edit_note": [
        {"identifier": "Open", "operation": "append", "content": "more"},
        {"identifier": "Open", "operation": "replace_section", "section": "## Part", "content": "new"},
    ],
    "move_note": [
        {"identifier": "Open", "destination_path": "Elsewhere/Open.md"},
        {"identifier": "Folder", "destination_path": "Other", "is_directory": True},
    ],
    "delete_note": [
        {"identifier": "Open"},
        {"identifier": "Folder", "is_directory": True},
        {"identifier": "Empty", "is_directory": True},
    ],
    "canvas": [
        {"title": "Drawn", "directory": "", "nodes": [{"id": "n", "type": "text", "text": "t"}], "edges": []},
        {"title": "Board", "directory": "", "nodes": [], "edges": [], "overwrite": True},
    ],
    "canvas_map": [{"path": "New", "source": "Open"}, {"path": "Board", "source": ["Open"]}],
    "canvas_arrange": [{"path": "Twins"}],
    "canvas_edit": [
        {"path": "Board", "operations": [{"op": "add", "text": "t"}]},
        {"path": "Board", "operations": [{"op": "remove", "card": "a"}]},
    ],
    "recall_save": [
        {"name": "made", "description": "d", "type": "user", "body": "b"},
        {"name": "garden-fact", "description": "d", "type": "user", "body": "b", "overwrite": True},
    ],
    "recall_delete": [{"name": "garden-fact"}],
    "recall_update": [{"name": "garden-fact", "append": "more"}],
    "recall_check": [{"fix": ["all"]}],
    "memory": [
        {"command": "create", "path": "/memories/new.md", "file_text": "x"},
        {"command": "str_replace", "path": "/memories/garden-fact.md", "old_str": "roses", "new_str": "lilies"},
        {"command": "insert", "path": "/memories/garden-fact.md", "insert_line": 0, "insert_text": "x"},
        {"command": "delete", "path": "/memories/garden-fact.md"},
        {"command": "rename", "old_path": "/memories/garden-fact.md", "new_path": "/memories/other.md"},
    ],
    "link_mentions": [{"identifier": "Open", "mentions": ["all"]}],
    "undo": [{}, {"since": "7d"}],
}
"""Calls of each tool that would write."""
WRITING = [t.name for family in FAMILIES.values() for t in family if t.writes and t.about == "vault"]


@pytest.fixture
def asking(tmp_path: Path) -> Iterator[Served]:
    """A vault where every change has to be asked for; the person let an agent write one note before."""
    root = tmp_path / "Vault"
    root.mkdir()
    settings = Settings(access=AccessSettings(ask=("*",)), memories=MemorySettings(folder="memory"))
    vault = Served(root, StateFolder(tmp_path / "state"), settings)
    for path, text in FILES.items():
        vault.write(path, text)
    (root / "Empty").mkdir()
    vault.call("write_note", audience=Audience.PERSON, title="Before", directory="", content="x")
    yield vault
    vault.close()


@pytest.mark.parametrize("tool", WRITING)
def test_every_tool_that_writes_proposes_instead(asking: Served, tool: str) -> None:
    assert CALLS.get(tool), f"say how {tool} writes, so that it is asked about too"
    before, changes = asking.hash(), asking.ok("history", limit=100)
    folders = sorted(asking.root.rglob("*"))
    for arguments in CALLS[tool]:
        forms: list[dict[str, Any]] = [{"output_format": "json"}, {}]
        for form in forms if tool != "memory" else [{}]:
            reply = asking.call(tool, **arguments, **form)
            assert not reply.is_error, (arguments, reply.blocks)
            told = reply.blocks[0]
            identifier = json.loads(told)["pending"] if told.startswith("{") else told.split()[1]
            assert told.startswith(("{", "Pending: "))
            shown = asking.ok("history", change=identifier)
            assert shown["proposal"]["state"] == "waiting", shown
            assert not shown["proposal"]["stale"], (arguments, shown)
            assert shown["changes"] == []
    assert asking.hash() == before
    assert sorted(asking.root.rglob("*")) == folders
    assert asking.ok("history", limit=100) == changes


@pytest.mark.parametrize("tool", WRITING)
def test_every_proposal_can_be_accepted_and_does_what_the_tool_would_have_done(
    asking: Served, tmp_path: Path, tool: str
) -> None:
    for number, arguments in enumerate(CALLS[tool]):
        twin = _copy(asking, tmp_path / f"twin{number}")
        asked = _copy(asking, tmp_path / f"asked{number}", AccessSettings(ask=("*",)))
        try:
            for vault in (twin, asked):
                vault.open()
                vault.call("write_note", audience=Audience.PERSON, title="Lately", directory="", content="x")
            assert not twin.call(tool, **arguments).is_error
            asked.call(tool, **arguments)
            (waiting,) = asyncio.run(asked.open().services.proposals.list(ProposalState.WAITING))
            done = asyncio.run(asked.open().services.proposals.accept(waiting.proposal.id))
            assert done.proposal.recorded is not None
            assert _files(asked) == _files(twin), arguments
            (newest,) = asked.ok("history", limit=1)["changes"]
            (same,) = twin.ok("history", limit=1)["changes"]
            differing = {"id", "at", "undoes", "files"}
            assert {k: newest[k] for k in newest.keys() - differing} == {k: same[k] for k in same.keys() - differing}
            assert newest["id"] == done.proposal.recorded
            assert asked.ok("undo", change=newest["id"], dry_run=True)["files"] or tool == "delete_note"
        finally:
            twin.close()
            asked.close()


def _copy(vault: Served, folder: Path, access: AccessSettings | None = None) -> Served:
    settings = vault.settings.model_copy(update={"access": access or AccessSettings()})
    (folder / "Vault").mkdir(parents=True)
    copy = Served(folder / "Vault", StateFolder(folder / "state"), settings)
    for path, text in FILES.items():
        copy.write(path, text)
    (copy.root / "Empty").mkdir()
    return copy


def _files(vault: Served) -> dict[str, str]:
    """Return all files; the time a memory was changed at is left out."""
    return {
        str(path.relative_to(vault.root)): "\n".join(
            line for line in path.read_text().splitlines() if "modified:" not in line
        )
        if path.is_file()
        else ""
        for path in vault.root.rglob("*")
    }
