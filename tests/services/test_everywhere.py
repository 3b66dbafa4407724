import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sidecar.app import OpenVault, known_projects, open_vault
from sidecar.config import Settings, StateFolder
from sidecar.errors import Unavailable
from sidecar.model.change import Author
from sidecar.registry import Project
from sidecar.services.caller import Audience, Caller
from sidecar.services.services import Services
from sidecar.tools.desk import Desk
from sidecar.tools.dispatch import call_tool
from sidecar.tools.families import tools_of

AGENT = Caller(Author("test", "s"), Audience.AGENT)
FILES = {
    "Home/Soup.md": "soup soup soup\n",
    "Home/Bread.md": "---\nstatus: active\n---\nbread and soup with many other words on the table\n\n- [idea] bake soup\n",
    "Home/Plan.md": "pots\n",
    "Work/Menu.md": "---\nstatus: active\n---\nsoup of the day\n",
    "Work/Zoo.md": "lions\n\n- [idea] feed lions\n",
}


class Vaults:
    def __init__(self, folder: Path) -> None:
        state, settings = StateFolder(folder / "state"), Settings()
        self.projects = known_projects(state, settings)
        self.open: dict[str, OpenVault] = {}
        for age, (path, text) in enumerate(FILES.items()):
            file = folder / path
            file.parent.mkdir(exist_ok=True)
            file.write_text(text)
            os.utime(file, (1_700_000_000 - age, 1_700_000_000 - age))
        for name in ("Home", "Work"):
            project = self.projects.add(folder / name, default=name == "Home")
            self.open[project.id] = open_vault(folder / name, state, settings, self.projects)
            self.open[project.id].index_now()

    async def opened(self, project: Project) -> Services:
        return self.open[project.id].services

    def desk(self, tied: str | None = None) -> Desk:
        vault = next((v.services for v in self.open.values() if v.services.project == tied), None)
        return Desk(self.projects, vault, self.opened)

    def text(self, **arguments: Any) -> str:
        reply = asyncio.run(call_tool(tools_of(), self.desk(), AGENT, "search_notes", arguments))
        return "\n".join(reply.blocks)

    def ask(self, *, tied: str | None = None, **arguments: Any) -> dict[str, Any]:
        said = {**arguments, "output_format": "json"}
        reply = asyncio.run(call_tool(tools_of(), self.desk(tied), AGENT, "search_notes", said))
        assert reply.structured is not None
        return reply.structured

    def found(self, **arguments: Any) -> list[str]:
        return [f"{r.get('project')}/{r['file_path']}" for r in self.ask(**arguments)["results"]]


@pytest.fixture
def vaults(tmp_path: Path) -> Iterator[Vaults]:
    made = Vaults(tmp_path)
    yield made
    for vault in made.open.values():
        vault.close()


def test_all_projects_are_one_ranking(vaults: Vaults) -> None:
    result = vaults.ask(query="soup", search_all_projects=True)
    assert {f"{r['project']}/{r['file_path']}" for r in result["results"]} == {
        "Home/Soup.md",
        "Home/Bread.md",
        "Work/Menu.md",
    }
    assert (result["total"], result["has_more"], "project" in result) == (3, False, False)
    scores = [r["score"] for r in result["results"]]
    assert scores == sorted(scores, reverse=True)
    assert "(Work: Menu.md)" in vaults.text(query="soup", search_all_projects=True)


def test_alone_it_is_the_default_project(vaults: Vaults) -> None:
    result = vaults.ask(query="soup")
    assert ({r["file_path"] for r in result["results"]}, result["project"]) == ({"Soup.md", "Bread.md"}, "Home")


def test_a_named_or_tied_project_wins(vaults: Vaults) -> None:
    for result in (
        vaults.ask(query="soup", all_projects=True, project="Work"),
        vaults.ask(query="soup", search_all_projects=True, tied="Work"),
    ):
        assert [r["file_path"] for r in result["results"]] == ["Menu.md"]
        assert result["project"] == "Work"


def test_filters_alone_give_the_newest_first_wherever_they_are(vaults: Vaults) -> None:
    assert vaults.found(search_all_projects=True, status="active") == ["Home/Bread.md", "Work/Menu.md"]
    assert vaults.found(search_all_projects=True, categories=["idea"]) == ["Home/Bread.md", "Work/Zoo.md"]
    assert vaults.found(search_all_projects=True, query="*", search_type="permalink", page_size=2) == [
        "Home/Bread.md",
        "Home/Plan.md",
    ]


@pytest.mark.parametrize(
    ("sort", "titles"),
    [
        ("title_asc", "BMS"),
        ("title_desc", "SMB"),
        ("updated_desc", "SBM"),
        ("updated_asc", "MBS"),
        ("created_asc", "MBS"),
    ],
)
def test_one_order_for_all(vaults: Vaults, sort: str, titles: str) -> None:
    results = vaults.ask(query="soup", search_all_projects=True, sort=sort)["results"]
    assert "".join(r["title"][0] for r in results) == titles


def test_pages_do_not_overlap_and_end(vaults: Vaults) -> None:
    pages = [vaults.ask(query="soup", search_all_projects=True, page_size=2, page=page) for page in (1, 2, 3)]
    shown = [r["file_path"] for page in pages for r in page["results"]]
    assert sorted(shown) == ["Bread.md", "Menu.md", "Soup.md"]
    assert [page["has_more"] for page in pages] == [True, False, False]
    assert "More: page=2." in vaults.text(query="soup", search_all_projects=True, page_size=2)


def test_words_as_written_come_before_what_else_may_be_meant(vaults: Vaults) -> None:
    assert len(vaults.found(query="soup day", project="Home")) == 2
    assert vaults.found(query="soup day", search_all_projects=True) == ["Work/Menu.md"]
    result = vaults.ask(query="lions pots", search_all_projects=True)
    assert (result["relaxed"], result["total"]) == (True, 2)


def test_a_vault_that_cannot_be_searched_is_named(vaults: Vaults, monkeypatch: pytest.MonkeyPatch) -> None:
    work = next(v.services.search for v in vaults.open.values() if v.services.project == "Work")

    async def broken(*_: object) -> None:
        raise Unavailable("The index is being made anew.")

    monkeypatch.setattr(work, "rank", broken)
    result = vaults.ask(query="soup", search_all_projects=True)
    assert (result["total"], result["unsearched"]) == (2, {"Work": "The index is being made anew."})
    assert "Project 'Work' was not searched" in vaults.text(query="soup", search_all_projects=True)


@pytest.mark.parametrize(
    "arguments", [{"cursor": "x"}, {"page": 11, "page_size": 100}, {"query": None}, {"after_date": "soon"}]
)
def test_what_cannot_be_asked_of_all_is_invalid(vaults: Vaults, arguments: dict[str, Any]) -> None:
    result = vaults.ask(**{"query": "soup", "search_all_projects": True, **arguments})
    assert result["error"] == "invalid"
