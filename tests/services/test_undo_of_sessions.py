"""What one session did is taken back as one, and brought back as one, whatever it did (A7, C25)."""

import json
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import Served

_SESSIONS = count()

NOTES = st.sampled_from(["a", "b", "Sub/c", "New/Deep/d"])
WRITE = st.builds(
    lambda note, text: (
        "write_note",
        {"title": note.rpartition("/")[2], "directory": note.rpartition("/")[0], "content": text, "overwrite": True},
    ),
    NOTES,
    st.sampled_from(["see [[b]]\n", "[[Sub/c|c]] and [[a]]", "---\nkey: value\n---\nx\n"]),
)
EDIT = st.builds(
    lambda note, text: ("edit_note", {"identifier": f"{note}.md", "operation": "append", "content": text}),
    NOTES,
    st.sampled_from(["more\n", "- [[a]]"]),
)
MOVE = st.builds(
    lambda note, to: ("move_note", {"identifier": f"{note}.md", "destination_path": f"{to}.md"}), NOTES, NOTES
)
MOVE_FOLDER = st.just(("move_note", {"identifier": "Sub", "destination_path": "New/Sub", "is_directory": True}))
DELETE = st.builds(lambda note: ("delete_note", {"identifier": f"{note}.md"}), NOTES)
DELETE_FOLDER = st.builds(
    lambda folder: ("delete_note", {"identifier": folder, "is_directory": True}), st.sampled_from(["Sub", "New"])
)
STEPS = st.lists(st.one_of(WRITE, EDIT, MOVE, DELETE, DELETE, MOVE_FOLDER, DELETE_FOLDER), min_size=2, max_size=7)


def _tree(vault: Served) -> dict[str, bytes | None]:
    """Return all files with their bytes, and all folders."""
    return {str(p.relative_to(vault.root)): p.read_bytes() if p.is_file() else None for p in vault.root.rglob("*")}


@pytest.fixture(params=["local", "none"])
def vault(served: Served, request: pytest.FixtureRequest) -> Served:
    served.write(".obsidian/app.json", json.dumps({"trashOption": request.param}))
    served.write("a.md", "\ufeff[[b]]\r\nno final newline")
    served.write("b.md", "![[Sub/c]] `[[a]]`\n")
    served.write("Sub/c.md", "")
    served.write(".trash/a.md", "deleted by the user")
    served.open()
    return served


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_a_session_is_undone_and_redone_at_once(vault: Served, steps: list[tuple[str, dict[str, Any]]]) -> None:
    session = f"session {next(_SESSIONS)}"
    before = _tree(vault)
    for tool, arguments in steps:
        vault.call(tool, as_session=session, **arguments)  # some are refused
    after = _tree(vault)
    reply = vault.call("undo", session=session, output_format="json", as_session="another")
    assert _tree(vault) == before, reply.blocks
    if reply.is_error:
        assert after == before
        return
    assert reply.structured is not None
    again = vault.ok("undo", change=reply.structured["change"], as_session="another")
    assert _tree(vault) == after
    vault.ok("undo", change=again["change"], as_session="another")
    assert _tree(vault) == before
