"""A connection that is tied to no vault: which one each call is for."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sidecar.app import OpenVault, known_projects, open_vault
from sidecar.config import Settings, StateFolder
from sidecar.model.change import Author
from sidecar.registry import Project
from sidecar.services.caller import Caller
from sidecar.services.services import Services
from sidecar.tools.desk import Desk
from sidecar.tools.dispatch import call_tool
from sidecar.tools.families import tools_of
from sidecar.tools.reply import Reply

CALLER = Caller(Author("test", "s"))


class Office:
    """Two registered vaults, opened when they are first asked for."""

    def __init__(self, tmp_path: Path) -> None:
        self.state = StateFolder(tmp_path / "state")
        self.projects = known_projects(self.state, Settings())
        self.opened: dict[str, OpenVault] = {}
        for name in ("home", "office"):
            folder = tmp_path / name
            (folder / "specs").mkdir(parents=True)
            (folder / "specs/Plan.md").write_text(f"the {name} plan")
            self.projects.add(folder)

    async def open(self, project: Project) -> Services:
        if project.id not in self.opened:
            vault = open_vault(Path(project.path), self.state, Settings(), self.projects)
            vault.index_now()
            self.opened[project.id] = vault
        return self.opened[project.id].services

    def call(self, tool: str, **arguments: Any) -> Reply:
        desk = Desk(self.projects, None, self.open)
        return asyncio.run(call_tool(tools_of(), desk, CALLER, tool, {**arguments, "output_format": "json"}))


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made = Office(tmp_path)
    yield made
    for vault in made.opened.values():
        vault.close()


@pytest.mark.parametrize(
    ("arguments", "project"),
    [
        ({"identifier": "Plan"}, "home"),
        ({"identifier": "Plan", "project": "office"}, "office"),
        ({"identifier": "Plan", "project": "personal/office"}, "office"),
        ({"identifier": "memory://office/specs/plan"}, "office"),
        ({"identifier": "office/specs/Plan.md"}, "office"),
        ({"identifier": "specs/Plan.md"}, "home"),
    ],
)
def test_a_call_names_its_vault_or_means_the_default(office: Office, arguments: dict[str, str], project: str) -> None:
    reply = office.call("read_note", **arguments)
    assert reply.structured is not None
    assert (reply.structured["project"], reply.structured["content"]) == (project, f"the {project} plan")


def test_the_id_wins_and_vaults_are_opened_only_when_asked_for(office: Office) -> None:
    assert office.opened == {}
    other = office.projects.meant("office", None)
    reply = office.call("search_notes", query="plan", project="home", project_id=other.id)
    assert reply.structured is not None
    assert reply.structured["project"] == "office"
    assert list(office.opened) == [other.id]


def test_an_unknown_project_lists_those_there_are(office: Office) -> None:
    reply = office.call("read_note", identifier="Plan", project="nope")
    assert reply.is_error
    assert reply.structured is not None
    assert reply.structured["candidates"] == ["home", "office"]


def test_the_list_needs_no_vault(office: Office) -> None:
    reply = office.call("list_memory_projects")
    assert reply.structured is not None
    assert [p["name"] for p in reply.structured["projects"]] == ["home", "office"]
    assert reply.structured["constrained_project"] is None
    assert office.opened == {}
