import pytest

from tests.conftest import Served

SCHEMA = """\
---
type: schema
entity: task
schema:
  owner: Person
  size: integer
  note: string
  parts(array): string
  gone?: string
  state(enum): [open, done]
settings:
  frontmatter:
    reviewed?: boolean
---
"""


@pytest.fixture
def tasks(served: Served) -> Served:
    served.write("Task.md", SCHEMA)
    for n in range(10):
        held = f"size: {'big' if n < 2 else 5}\nnote: [a, b]\nparts: one\nstate: open\nreviewed: true\n"
        served.write(f"T/{n}.md", f"---\ntype: task\n{held}---\n- owner [[Ada]]\n- [risk] none\n")
    served.write("Ada.md", "---\ntype: person\n---\n")
    return served


def test_every_kind_of_drift(tasks: Served) -> None:
    report = tasks.ok("schema_diff", note_type="task")
    assert (report["schema_found"], report["notes_analyzed"], report["schema"]["file_path"]) == (True, 10, "Task.md")
    assert [(use["name"], use["count"]) for use in report["new_fields"]] == [("risk", 10)]
    assert report["dropped_fields"] == [{"name": "gone", "count": 0, "total": 10}]
    assert report["cardinality_changes"] == [
        {"name": "note", "count": 10, "total": 10, "declared": "one", "actual": "many"},
        {"name": "parts", "count": 10, "total": 10, "declared": "many", "actual": "one"},
    ]
    assert report["type_changes"] == [{"name": "size", "declared": "integer", "actual": "any", "count": 2, "total": 10}]


def test_text(tasks: Served) -> None:
    text = tasks.call("schema_diff", note_type="task").blocks[0]
    assert text.startswith("# 10 notes of type task against Task.md\n")
    for line in (
        "new: risk: string, observation, 100 % (10/10), e.g. none",
        "dropped: gone, in 0 of 10 notes",
        "now a list: note, several values in 10 of 10 notes",
        "no list: parts, one value in each of 10 notes",
        "other values: size is declared integer, but 2 of 10 notes differ; any would fit",
    ):
        assert f"\n{line}\n" in text


def test_several_schemas_are_told(tasks: Served) -> None:
    tasks.write("Task 2.md", SCHEMA)
    assert tasks.ok("schema_diff", note_type="task")["several_schemas"] == ["Task 2.md", "Task.md"]
    assert "Several schemas are for task; Task 2.md is used" in tasks.call("schema_diff", note_type="task").blocks[0]


def test_without_a_schema_or_notes_there_is_guidance(tasks: Served) -> None:
    report = tasks.ok("schema_diff", note_type="person")
    assert (report["schema_found"], report["new_fields"], report["cardinality_changes"]) == (False, [], [])
    assert "schema_infer('person')" in report["guidance"]
    assert "schema_infer('person')" in tasks.call("schema_diff", note_type="person").blocks[0]
    assert "There is no note of type 'robot'" in tasks.ok("schema_diff", note_type="robot")["guidance"]
    tasks.write("Robot.md", SCHEMA.replace("task", "robot"))
    tasks.reindex()
    assert tasks.ok("schema_diff", note_type="robot")["schema_found"] is True
    assert "There is no note of type 'robot'" in tasks.call("schema_diff", note_type="robot").blocks[0]


def test_the_type_is_needed(tasks: Served) -> None:
    assert "'note_type' is missing" in tasks.fails("schema_diff", "invalid")["message"]
