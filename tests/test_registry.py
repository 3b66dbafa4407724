import asyncio
import sys
from pathlib import Path

import pytest

from sidecar.errors import Invalid, NotFound
from sidecar.model.change import Author
from sidecar.registry import Registry
from sidecar.services.caller import Audience, Caller
from sidecar.services.projects import Projects

PERSON = Caller(Author("test", "s"), Audience.PERSON)


@pytest.fixture
def projects(tmp_path: Path) -> Projects:
    for name in ("Notes", "Work", "Notes/Inner", "Notes2"):
        (tmp_path / name).mkdir()
    return Projects(Registry(tmp_path / "state/projects.json"))


def test_the_first_is_the_default_until_another_is_chosen(projects: Projects, tmp_path: Path) -> None:
    assert projects.add(tmp_path / "Notes").is_default
    assert not projects.add(tmp_path / "Work", "job").is_default
    assert projects.meant(None, None).name == "Notes"
    projects.set_default("JOB")
    assert projects.meant(None, None).name == "job"
    assert [p.is_default for p in projects.all()] == [True, False]
    assert projects.add(tmp_path / "Notes", default=True).is_default


def test_a_project_is_meant_by_name_id_or_workspace(projects: Projects, tmp_path: Path) -> None:
    notes = projects.add(tmp_path / "Notes")
    assert (
        projects.meant("notes", None)
        == projects.meant("personal/Notes", None)
        == projects.meant(None, notes.id)
        == notes
    )
    with pytest.raises(NotFound) as error:
        projects.meant("nope", None)
    assert error.value.candidates == ("Notes",)


def test_no_guess_between_several(projects: Projects, tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="no project yet"):
        projects.meant(None, None)
    projects.opened(tmp_path / "Notes")
    assert projects.meant(None, None).name == "Notes"
    projects.opened(tmp_path / "Work")
    with pytest.raises(Invalid) as error:
        projects.meant(None, None)
    assert error.value.candidates == ("Notes", "Work")


def test_prefixes(projects: Projects, tmp_path: Path) -> None:
    notes = projects.add(tmp_path / "Notes")
    assert projects.prefixed("memory://notes/specs/x") == (notes, "memory://specs/x")
    assert projects.prefixed("Notes/specs/x") == (notes, "specs/x")
    assert projects.prefixed("Notes") == (None, "Notes")
    assert projects.prefixed("memory://other/x") == (None, "memory://other/x")


def test_nested_and_twice_named_projects_are_refused(projects: Projects, tmp_path: Path) -> None:
    projects.add(tmp_path / "Notes")
    projects.add(tmp_path / "Notes2")
    with pytest.raises(Invalid, match="inside one another"):
        projects.add(tmp_path / "Notes/Inner")
    with pytest.raises(Invalid, match="already"):
        projects.add(tmp_path / "Work", "notes")
    with pytest.raises(Invalid, match="not a folder"):
        projects.add(tmp_path / "missing")


def test_removing_touches_no_file(projects: Projects, tmp_path: Path) -> None:
    (tmp_path / "Notes/a.md").write_text("x")
    projects.add(tmp_path / "Notes")
    asyncio.run(projects.delete(PERSON, None, name="notes"))
    assert projects.all() == ()
    assert (tmp_path / "Notes/a.md").read_text() == "x"
    with pytest.raises(NotFound):
        asyncio.run(projects.delete(PERSON, None, name="notes"))


def test_a_project_goes_when_its_calls_are_done_and_no_new_one_finds_it(projects: Projects, tmp_path: Path) -> None:
    project = projects.add(tmp_path / "Notes")

    async def play() -> list[str]:
        told = []
        with projects.using(project.id):
            task = asyncio.create_task(projects.delete(PERSON, None, name="Notes"))
            await asyncio.sleep(0.1)
            told += [str(task.done()), *(p.name for p in projects.all())]
        await task
        return told

    assert asyncio.run(play()) == ["False"]


def test_adding_again_changes_only_what_is_said(projects: Projects, tmp_path: Path) -> None:
    projects.add(tmp_path / "Notes", "mine", workspace="team")
    again = projects.add(tmp_path / "Notes")
    assert (again.name, again.workspace, again.is_default) == ("mine", "team", True)
    assert projects.add(tmp_path / "Notes", "other", workspace="home").workspace == "home"
    assert [p.name for p in projects.all()] == ["other"]


def test_a_folder_below_a_vault_is_refused_unless_wanted(projects: Projects, tmp_path: Path) -> None:
    (tmp_path / "Notes/.obsidian").mkdir()
    with pytest.raises(Invalid, match="lies inside the vault"):
        projects.add(tmp_path / "Notes/Inner")
    wanted = Projects(Registry(tmp_path / "state/projects.json"), allow_nested=True)
    assert wanted.add(tmp_path / "Notes/Inner").name == "Inner"


def test_a_damaged_list_is_an_error_and_not_an_empty_one(tmp_path: Path) -> None:
    file = tmp_path / "projects.json"
    file.write_text('[{"name": "x"}]')
    with pytest.raises(Invalid, match="damaged"):
        Registry(file).projects()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no mode bits")
def test_the_list_is_the_users_alone(projects: Projects, tmp_path: Path) -> None:
    projects.add(tmp_path / "Notes")
    assert (tmp_path / "state/projects.json").stat().st_mode & 0o777 == 0o600
