"""A connection that is tied to no vault: which one each call is for."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tools.office import Office


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


@pytest.mark.parametrize(
    ("arguments", "project"),
    [
        ({"identifier": "Plan", "project_name": "office"}, "office"),
        ({"identifier": "Plan", "project": "office", "workspace": "personal"}, "office"),
        ({"identifier": "Plan", "project": "/Office/"}, "office"),
        ({"identifier": "personal/office/specs/Plan"}, "office"),
        ({"identifier": "memory://personal/home/specs/Plan"}, "home"),
    ],
)
def test_other_ways_to_name_a_vault(office: Office, arguments: dict[str, str], project: str) -> None:
    assert office.ok("read_note", **arguments)["project"] == project


def test_a_workspace_without_the_project_is_not_found(office: Office) -> None:
    error = office.fails("read_note", "not_found", identifier="Plan", project="office", workspace="work")
    assert error["candidates"] == ["home", "office"]


def test_where_a_note_goes_may_name_its_project_too(office: Office) -> None:
    moved = office.ok("move_note", identifier="office/specs/Plan.md", destination_path="office/done/Plan.md")
    assert (moved["project"], moved["file_path"]) == ("office", "done/Plan.md")
    again = office.ok("move_note", identifier="office/done/Plan", destination_folder="memory://office/later")
    assert again["file_path"] == "later/Plan.md"


def test_nothing_moves_between_projects(office: Office) -> None:
    error = office.fails("move_note", "refused", identifier="office/specs/Plan", destination_path="home/specs/New.md")
    assert "between projects" in error["message"]


def test_an_unlisted_parameter_is_not_shown(office: Office) -> None:
    error = office.fails("read_note", "invalid", identifier="Plan", nope=1)
    assert "workspace" not in error["next"]


def test_the_parameters_are_listed_where_a_name_is_wrong_and_not_where_a_value_is(office: Office) -> None:
    wrong = office.fails("read_note", "invalid")
    assert wrong["next"].startswith("The parameters are: identifier, ")
    assert office.fails("edit_note", "invalid", identifier="Plan", operation="x", content="")["next"] is None
