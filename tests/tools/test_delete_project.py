from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sidecar.services.caller import Audience
from tests.conftest import Served
from tests.tools.office import Office


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made = Office(tmp_path)
    yield made
    made.close()


def test_index_and_catalog_go_files_journal_and_proposals_stay(office: Office, tmp_path: Path) -> None:
    change = office.ok("write_note", project="office", title="Kept", directory="", content="x")["change"]
    project = office.projects.meant("office", None)
    state = office.state.of_project(project.id)
    assert {"journal", "index"} < {path.name for path in state.iterdir()}
    gone = office.ok("delete_project", project_name="Office")
    assert (gone["deleted"], gone["name"], gone["path"]) == (True, "office", str(tmp_path / "office"))
    assert {path.name for path in state.iterdir()} == {"journal", "proposals"}
    assert sorted(p.name for p in (tmp_path / "office").iterdir()) == ["Kept.md", "specs"]
    assert office.names() == ["home"]
    assert office.fails("read_note", "not_found", identifier="Plan", project="office")["candidates"] == ["home"]
    office.ok("create_memory_project", project_name="back", project_path=str(tmp_path / "office"))
    assert office.ok("search_notes", project="back", query="plan")["total"] == 1
    office.ok("undo", project="back", change=change)
    assert not (tmp_path / "office/Kept.md").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        {"project_name": "office"},
        {"project": "office"},
        {"name": "personal/office"},
        {"project_name": "office", "workspace": "personal"},
    ],
)
def test_ways_to_name_it(office: Office, arguments: dict[str, Any]) -> None:
    text = office.reply("delete_project", **arguments).blocks[0]
    assert text.startswith("# Forgotten: project office\n")
    assert "untouched" in text
    assert office.names() == ["home"]


@pytest.mark.parametrize(
    ("arguments", "category", "said"),
    [
        ({"project_name": "nope"}, "not_found", "no project 'nope'"),
        ({"project_name": "office", "workspace": "work"}, "not_found", "work/office"),
        ({"project_name": " "}, "invalid", "Which project"),
        ({}, "invalid", "missing"),
        ({"project_name": "home"}, "refused", "is the default project"),
        ({"project_name": "office", "delete_notes": True}, "refused", "never deleted"),
    ],
)
def test_what_is_refused(office: Office, arguments: dict[str, Any], category: str, said: str) -> None:
    error = office.fails("delete_project", category, **arguments)
    assert said in error["message"]
    assert office.names() == ["home", "office"]


def test_the_default_goes_last_or_after_another_is_chosen(office: Office, tmp_path: Path) -> None:
    error = office.fails("delete_project", "refused", project_name="home")
    assert "set_default=true" in error["next"]
    assert error["candidates"] == ["office"]
    office.ok("create_memory_project", project_name="office", project_path=str(tmp_path / "office"), set_default=True)
    office.ok("delete_project", project_name="home")
    office.ok("delete_project", project_name="office")
    assert office.names() == []
    assert "Add a vault" in office.fails("list_directory", "invalid")["next"]


def test_a_tied_connection_governs_no_projects(served: Served, tmp_path: Path) -> None:
    (tmp_path / "Other").mkdir()
    served.open().services.projects.add(tmp_path / "Other")
    for name in ("Other", "Vault"):
        assert "tied to 'Vault'" in served.fails("delete_project", "refused", project_name=name)["message"]
    assert "delete_notes" not in str(served.call("delete_project", nope=1).blocks)


def test_the_person_forgets_any_project_but_the_one_that_is_open_for_it(served: Served, tmp_path: Path) -> None:
    (tmp_path / "Other").mkdir()
    (tmp_path / "Default").mkdir()
    projects = served.open().services.projects
    projects.add(tmp_path / "Default")
    projects.add(tmp_path / "Other")
    gone = served.call("delete_project", audience=Audience.PERSON, project_name="Other")
    assert not gone.is_error
    own = served.call("delete_project", audience=Audience.PERSON, project_name="Vault")
    assert own.is_error
    assert "this very connection" in own.blocks[0]
