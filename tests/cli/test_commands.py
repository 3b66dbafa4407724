"""The commands as a person types them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sidecar import __version__
from tests.conftest import vault_hash


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "Vault"
    (root / ".obsidian").mkdir(parents=True)
    (root / "Note.md").write_text("# Note\n\nalpha\n", encoding="utf-8")
    return root


def command(vault: Path, *arguments: str, ok: bool = True, cwd: Path | None = None) -> str:
    environment = {**os.environ, "VAULT_SIDECAR_HOME": str(vault.parent / "state"), "COLUMNS": "120"}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "sidecar", *arguments],
        env=environment, capture_output=True, text=True, check=False, cwd=cwd,
    )  # fmt: skip
    assert (done.returncode == 0) is ok, done.stderr
    return done.stdout if ok else done.stderr


def test_version(vault: Path) -> None:
    assert command(vault, "--version").strip() == __version__


def test_index_counts_and_changes_nothing(vault: Path) -> None:
    before = vault_hash(vault)
    assert command(vault, "index", str(vault)).startswith("Vault: 1 note, 0 canvases, ")
    again = json.loads(command(vault, "index", str(vault), "--json"))
    assert (again["changed"], again["files"]["note"]) == (0, 1)
    assert vault_hash(vault) == before


def test_search_status_and_history(vault: Path) -> None:
    assert "Note.md" in command(vault, "search", str(vault), "alpha")
    assert json.loads(command(vault, "search", str(vault), "alpha", "--json"))["total"] == 1
    status = json.loads(command(vault, "status", "--vault", str(vault), "--json"))
    assert (status["pending"], status["served"], status["problems"]) == (0, False, {})
    assert "No agent changed anything" in command(vault, "history", "--vault", str(vault))


def test_a_search_shows_people_titles_lines_and_nothing_a_terminal_obeys(vault: Path) -> None:
    (vault / "Pond.md").write_text("# Pond\n\nThe \x1b[31m heron\x07 stood still.\n", encoding="utf-8")
    assert command(vault, "search", str(vault), "heron").splitlines() == [
        "1 found",
        "",
        "Pond  Pond.md",
        "  3: # Pond The [31m heron stood still.",
    ]
    misspelt = command(vault, "search", str(vault), "herom").splitlines()
    assert misspelt[:2] == ["Nothing matches 'herom'; searched 'heron'.", "1 found"]


def test_options_may_come_from_the_environment(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (vault / "Other.md").write_text("alpha", encoding="utf-8")
    monkeypatch.setenv("VAULT_SIDECAR_SEARCH_LIMIT", "1")
    monkeypatch.setenv("VAULT_SIDECAR_JSON", "1")
    found = json.loads(command(vault, "search", str(vault), "alpha"))
    assert (found["page_size"], found["total"]) == (1, 2)


def test_call_converts_by_the_schema_and_undo_takes_it_back(vault: Path) -> None:
    before = vault_hash(vault)
    at = ("--vault", str(vault))
    command(vault, "call", "write_note", "title=123", "directory=/", "content=x", 'metadata={"a": 1}', *at)
    assert (vault / "123.md").read_text() == "---\na: 1\n---\nx"
    (change,) = json.loads(command(vault, "history", *at, "--json"))["changes"]
    assert "Would take back" in command(vault, "undo", change["id"], "--dry-run", *at)
    assert (vault / "123.md").exists()
    command(vault, "undo", change["id"], *at)
    assert vault_hash(vault) == before


def test_the_current_folder_is_the_vault(vault: Path) -> None:
    assert "1 note" in command(vault, "status", cwd=vault)
    (vault / "Sub/Deep").mkdir(parents=True)
    assert str(vault) in command(vault, "status", cwd=vault / "Sub/Deep")


def test_elsewhere_the_default_project_is_meant(vault: Path, tmp_path: Path) -> None:
    for name in ("One", "Two"):
        (tmp_path / name).mkdir()
        command(vault, "project", "add", str(tmp_path / name))
    assert command(vault, "status", cwd=tmp_path).startswith("One ")
    command(vault, "project", "default", "Two")
    assert command(vault, "status", cwd=tmp_path).startswith("Two ")


def test_a_tool_that_is_not_there_has_near_names(vault: Path) -> None:
    said = command(vault, "call", "recall_savee", ok=False).splitlines()
    assert (said[0], said[1]) == ("vault-sidecar: There is no tool 'recall_savee'.", "  - recall_save")
    assert len(said) < 6


@pytest.mark.slow
def test_packages_that_were_not_compiled_when_installed_say_nothing(vault: Path) -> None:
    state, compiled = vault.parent / "state", vault.parent / "nothing compiled"
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(compiled), "VAULT_SIDECAR_HOME": str(state)}
    environment.pop("PYTHONWARNINGS", None)
    search = [sys.executable, "-m", "sidecar", "search", str(vault), "alpha"]
    done = subprocess.run(search, env=environment, capture_output=True, text=True, check=True)
    assert "Note.md" in done.stdout
    assert done.stderr == ""


def test_one_tool_is_shown_with_its_arguments(vault: Path) -> None:
    text = command(vault, "tools", "edit_note")
    assert "\n  identifier (string, required)\n" in text
    assert "insert_after_section" in text
    assert "There is no tool 'nope'" in command(vault, "tools", "nope", ok=False)
    (only,) = json.loads(command(vault, "tools", "edit_note", "--json"))
    assert only["name"] == "edit_note"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("index", "nowhere"), "'nowhere' is not a folder"),
        (("status",), "Which vault?"),
        (("call", "nope"), "There is no tool 'nope'"),
        (("call", "read_note", "identifier"), "is not name=value"),
        (("mcp", "--embedded"), "Which vault?"),
        (("serve", "nowhere"), "'nowhere' is not a folder"),
        (("token", "burn"), "Invalid value"),
    ],
)
def test_errors_are_short_and_on_stderr(vault: Path, arguments: tuple[str, ...], said: str) -> None:
    text = command(vault, *arguments, ok=False, cwd=vault.parent)
    assert said in text
    assert "Traceback" not in text


def test_a_failing_tool_ends_with_an_error(vault: Path) -> None:
    assert "Not found" in command(vault, "call", "read_note", "identifier=Nope", "--vault", str(vault), ok=False)


def test_a_bad_config_names_line_and_key(vault: Path) -> None:
    state = vault.parent / "state"
    state.mkdir()
    (state / "config.toml").write_text("[access]\ndeny = ['a']\n[write]\noverwrit = true\n", encoding="utf-8")
    text = command(vault, "status", "--vault", str(vault), ok=False)
    assert "line 4" in text
    assert "write.overwrit" in text


def test_tools_as_json_hold_every_schema(vault: Path) -> None:
    tools = json.loads(command(vault, "tools", "--json"))
    assert {"name", "family", "description", "inputSchema"} <= set(tools[0])


@pytest.mark.slow
def test_the_demonstration_leaves_the_vault_alone(tmp_path: Path) -> None:
    examples = Path(__file__).parents[2] / "examples-vault"
    before = vault_hash(examples)
    text = command(tmp_path / "x", "demo", str(examples))
    assert vault_hash(examples) == before
    for wanted in (
        "Created: Frost watch",
        "Edited: Spring beds",
        "Created: Spring at a glance",
        "Took back",
        "claude mcp add",
    ):
        assert wanted in text


@pytest.mark.slow
def test_the_demonstration_on_a_copy_of_any_vault(vault: Path) -> None:
    before = vault_hash(vault)
    text = command(vault, "demo", str(vault))
    assert "Created: Frost watch" in text
    assert "Took back" in text
    assert vault_hash(vault) == before


@pytest.mark.slow
def test_the_demonstration_on_ones_own_vault_writes_nothing(vault: Path) -> None:
    before = vault_hash(vault)
    text = command(vault, "demo", "--read-only", str(vault))
    assert "write_note(" not in text
    assert vault_hash(vault) == before
