from pathlib import Path

import pytest

from sidecar.errors import Invalid, Refused
from sidecar.services.project_places import (
    check_for_agents,
    check_not_inside_a_vault,
    folder_of,
    make_folder,
    name_of,
)


def test_names() -> None:
    assert name_of("  My  notes ", "project") == "My notes"
    for bad in ("", "  ", "a/b", "a\\b", "a\0b", "x" * 101):
        with pytest.raises(Invalid):
            name_of(bad, "project")


def test_folders(tmp_path: Path) -> None:
    assert folder_of("~/x") == Path.home().resolve() / "x"
    assert folder_of(f"{tmp_path}/a/../b") == tmp_path.resolve() / "b"
    for bad in ("", "notes", "./notes", "~nobodyofthisname/x", "/a\0b"):
        with pytest.raises(Invalid, match="absolute"):
            folder_of(bad)


def test_what_agents_may_not_register(tmp_path: Path) -> None:
    state = tmp_path / "state"
    check_for_agents(tmp_path / "Notes", state)
    for bad in (
        "/",
        "/etc",
        "/usr/share/doc",
        Path.home(),
        Path.home().parent,
        tmp_path / ".ssh",
        tmp_path / ".a/b",
        state,
        state / "x",
        tmp_path,
    ):
        with pytest.raises(Refused, match="agents can read"):
            check_for_agents(Path(bad).resolve(), state)


def test_a_folder_below_a_vault_is_named_with_it(tmp_path: Path) -> None:
    (tmp_path / "V/.obsidian").mkdir(parents=True)
    check_not_inside_a_vault(tmp_path / "V", [])
    check_not_inside_a_vault(tmp_path / "Other", [])
    check_not_inside_a_vault(tmp_path / "V/sub", [str(tmp_path / "V")])
    with pytest.raises(Invalid) as error:
        check_not_inside_a_vault(tmp_path / "V/sub/deep", [])
    assert str(tmp_path / "V") in error.value.message


def test_folders_are_made_only_if_missing(tmp_path: Path) -> None:
    assert make_folder(tmp_path / "a/b")
    assert not make_folder(tmp_path / "a/b")
    (tmp_path / "f").write_text("x")
    with pytest.raises(Invalid, match="is a file"):
        make_folder(tmp_path / "f")
