"""Encrypted notes: known by their names, opaque, and never changed."""

from typing import Any

import pytest

from tests.conftest import Served

CIPHER = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ+/8="
WHOLE = f"%%\U0001f510β {CIPHER} \U0001f510%%\n"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("edit_note", {"identifier": "Diary", "operation": "append", "content": "x"}),
        ("edit_note", {"identifier": "Diary", "operation": "append", "content": "x", "section": "None"}),
        ("edit_note", {"identifier": "Diary", "operation": "find_replace", "content": "x", "find_text": "q83v"}),
        ("edit_note", {"identifier": "Diary", "operation": "append", "content": "", "metadata": {"a": 1}}),
        ("write_note", {"title": "Diary", "directory": "", "content": "x", "overwrite": True}),
    ],
)
def test_an_encrypted_note_is_never_edited(served: Served, tool: str, arguments: dict[str, Any]) -> None:
    served.write("Diary.md", WHOLE)
    assert served.fails(tool, "refused", **arguments)["message"] == "'Diary.md' is encrypted, so it is never edited."


def test_an_encrypted_note_is_found_by_its_name_only(served: Served) -> None:
    served.write("Diary.md", WHOLE)
    assert served.found("q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ") == []
    assert served.found("diary") == ["Diary.md"]
    assert served.ok("read_note", identifier="Diary")["content"] == WHOLE


def test_of_a_note_with_an_encrypted_part_the_rest_is_edited(served: Served) -> None:
    served.write("Keys.md", f"# Keys\n\nbank: {WHOLE}\n## Other\n\nold\n")
    served.ok("edit_note", identifier="Keys", operation="replace_section", section="Other", content="new")
    assert served.read("Keys.md") == f"# Keys\n\nbank: {WHOLE}\n## Other\n\nnew\n"
    error = served.fails(
        "edit_note", "refused", identifier="Keys", operation="replace_section", section="Keys", content="x"
    )
    assert error["message"] == "The change would touch an encrypted part of 'Keys.md'."
    served.fails("write_note", "refused", title="Keys", directory="", content="x", overwrite=True)
