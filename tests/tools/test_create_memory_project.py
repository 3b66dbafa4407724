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


def test_a_new_folder_is_made_registered_and_indexed_at_once(office: Office, tmp_path: Path) -> None:
    folder = tmp_path / "new/Recipes"
    made = office.ok("create_memory_project", project_name="recipes", project_path=str(folder))
    assert (made["name"], made["path"], made["is_default"]) == ("recipes", str(folder), False)
    assert (made["created"], made["already_exists"], made["folder_made"]) == (True, False, True)
    assert list(folder.iterdir()) == []
    assert made["external_id"] in office.opened
    assert office.ok("list_directory", project="recipes")["project"] == "recipes"


def test_an_existing_vault_is_searchable_and_untouched(office: Office, tmp_path: Path) -> None:
    (tmp_path / "V").mkdir()
    (tmp_path / "V/n.md").write_text("platypus")
    before = (tmp_path / "V/n.md").stat().st_mtime_ns
    made = office.ok("create_memory_project", name="v", path=str(tmp_path / "V"), set_default=True, workspace="team")
    assert (made["folder_made"], made["is_default"], made["qualified_name"]) == (False, True, "team/v")
    found = office.ok("search_notes", query="platypus")
    assert (found["project"], found["total"]) == ("v", 1)
    assert [path.name for path in (tmp_path / "V").iterdir()] == ["n.md"]
    assert (tmp_path / "V/n.md").stat().st_mtime_ns == before
    assert office.ok("list_memory_projects")["default_project"] == "v"


def test_the_same_again_is_fine(office: Office, tmp_path: Path) -> None:
    for default in (False, True):
        again = office.ok(
            "create_memory_project", project_name="Office", project_path=str(tmp_path / "office/"), set_default=default
        )
        assert (again["name"], again["already_exists"], again["is_default"]) == ("office", True, default)
    assert office.names() == ["home", "office"]
    text = office.reply("create_memory_project", project="office", project_path=str(tmp_path / "office")).blocks[0]
    assert text.startswith(f"# Project office already exists\nfolder: {tmp_path / 'office'}\n")


@pytest.mark.parametrize(
    ("name", "path", "category", "said"),
    [
        ("office", "elsewhere", "invalid", "already"),
        ("other", "office", "invalid", "is the project 'office' already"),
        ("other", "office/specs", "invalid", "inside one another"),
        ("other", "", "refused", "agents can read"),
        ("other", "state/x", "refused", "agents can read"),
        ("other", ".hidden", "refused", "agents can read"),
        ("a/b", "elsewhere", "invalid", "cannot be the name"),
        (" ", "elsewhere", "invalid", "cannot be the name"),
        ("other", "office/specs/Plan.md", "invalid", "inside one another"),
        ("other", "file.txt", "invalid", "is a file"),
        ("other", "vault/inner", "invalid", "lies inside the vault"),
    ],
)
def test_what_is_refused_leaves_nothing_behind(
    office: Office, tmp_path: Path, name: str, path: str, category: str, said: str
) -> None:
    (tmp_path / "file.txt").write_text("x")
    (tmp_path / "vault/.obsidian").mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    place = str(tmp_path / path) if path else "/"
    error = office.fails("create_memory_project", category, project_name=name, project_path=place)
    assert sorted(tmp_path.rglob("*")) == before
    assert said in error["message"]
    assert office.names() == ["home", "office"]


@pytest.mark.parametrize(
    "arguments", [{"project_path": "notes"}, {"project_path": ""}, {}, {"project_path": "/x", "colour": 1}]
)
def test_what_is_not_understood(office: Office, arguments: dict[str, Any]) -> None:
    office.fails("create_memory_project", "invalid", project_name="x", **arguments)


def test_the_person_may_register_what_agents_may_not(office: Office, tmp_path: Path) -> None:
    reply = office.reply(
        "create_memory_project", audience=Audience.PERSON, project_name="x", project_path=str(tmp_path / ".notes")
    )
    assert reply.blocks[0].startswith("# Created: project x\n")


def test_a_tied_connection_governs_no_projects(served: Served, tmp_path: Path) -> None:
    error = served.fails("create_memory_project", "refused", project_name="x", project_path=str(tmp_path / "x"))
    assert "tied to 'Vault'" in error["message"]
    assert not (tmp_path / "x").exists()
