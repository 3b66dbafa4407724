from typing import Any

import pytest

from tests.conftest import Served

LONGEST_REPLY = 25_000
PERSON = """\
---
type: schema
entity: Person
version: 1
schema:
  name: string, full name
  age?: integer
  works_at?: Company
  knows?(array): Person
  status?(enum): [active, gone]
settings:
  validation: {mode}
  frontmatter:
    reviewed?: boolean
---
# Person
"""


@pytest.fixture
def people(served: Served) -> Served:
    served.write("Schemas/Person.md", PERSON.replace("{mode}", "warn"))
    served.write(
        "P/Ada.md",
        "---\ntype: person\nage: 36\n---\n- [name] Ada Lovelace #maths\n- works_at [[Acme]]\n- knows [[Bob]]\n",
    )
    served.write(
        "P/Bob.md",
        "---\ntype: Person\nname: Bob\nstatus: asleep\nage: old\nreviewed: soon\n---\n- works_at [[Ada]]\n- knows [[Nobody]]\n- [hobby] chess\n- likes [[Ada]]\n",
    )
    served.write("P/Eve.md", "---\ntype: person\n---\nnothing\n")
    served.write("Acme.md", "---\ntype: company\n---\n")
    return served


def faults(note: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(p["field"], p["status"], p["severity"]) for p in note["problems"]]


def results(report: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {note["file_path"]: note for note in report["results"]}


def test_notes_of_a_type_against_its_schema(people: Served) -> None:
    report = people.ok("schema_validate", note_type="person")
    notes = results(report)
    assert [
        report[key] for key in ("total_notes", "valid_count", "warning_count", "error_count", "without_schema")
    ] == [3, 1, 6, 0, 0]
    assert report["schemas"] == [
        {"entity": "Person", "file_path": "Schemas/Person.md", "version": 1, "validation": "warn"}
    ]
    assert (notes["P/Ada.md"]["passed"], notes["P/Ada.md"]["problems"]) == (True, [])
    assert faults(notes["P/Eve.md"]) == [("name", "missing", "warning")]
    bob = notes["P/Bob.md"]
    assert faults(bob) == [
        ("age", "wrong_type", "warning"),
        ("works_at", "wrong_note", "warning"),
        ("knows", "leads_nowhere", "warning"),
        ("status", "not_a_choice", "warning"),
        ("reviewed", "wrong_type", "warning"),
    ]
    assert bob["warnings"][0] == "age: 'old' is not of type integer"
    assert bob["warnings"][1] == "works_at: [[Ada]] (person) is no note of type Company (line 8)"
    assert (bob["unmatched_observations"], bob["unmatched_relations"]) == ({"hobby": 1}, {"likes": 1})
    assert list(notes)[-1] == "P/Ada.md"  # what is wrong comes first


@pytest.mark.parametrize("spelling", ["Person", "PERSON", " person "])
def test_the_spelling_of_a_type_does_not_matter(people: Served, spelling: str) -> None:
    assert people.ok("schema_validate", note_type=spelling)["total_notes"] == 3


@pytest.mark.parametrize("mode", ["strict", "error"])
def test_strict_schemas_make_errors_but_a_link_to_nothing_is_a_warning(people: Served, mode: str) -> None:
    people.write("Schemas/Person.md", PERSON.replace("{mode}", mode))
    report = people.ok("schema_validate", note_type="person")
    bob = results(report)["P/Bob.md"]
    assert (report["error_count"], report["warning_count"], bob["passed"]) == (5, 1, False)
    assert [severity for _, _, severity in faults(bob)] == ["error"] * 4 + ["warning"]


@pytest.mark.parametrize("identifier", ["Ada", "P/Ada.md", "memory://p/ada", "vault/p/ada"])
def test_one_note(people: Served, identifier: str) -> None:
    report = people.ok("schema_validate", identifier=identifier)
    assert [n["file_path"] for n in report["results"]] == ["P/Ada.md"]


def test_text_groups_the_faults_by_note(people: Served) -> None:
    text = people.call("schema_validate", note_type="person").blocks[0]
    assert text.startswith(
        "# Checked 3 notes: 1 fit their schema, 2 do not\nschema: Person in Schemas/Person.md (warn)\n"
    )
    assert "P/Bob.md (Person)\n  warn   age: 'old' is not of type integer\n" in text
    assert "P/Ada.md" not in text
    mark = text.split("Between <", 1)[1].split(">", 1)[0]
    assert f"Not in the schema, by number of notes: <{mark}>[hobby] (1), likes (1)</{mark}>" in text
    assert text.index(f"\n<{mark}>\n") < text.index("asleep") < text.index(f"\n</{mark}>")


def test_a_schema_inside_a_note_and_one_that_it_names(people: Served) -> None:
    people.write("In.md", "---\ntype: person\nschema:\n  colour: string\n---\n- [colour] red\n")
    people.write("By entity.md", "---\nschema: person\n---\n")
    people.write("By name.md", "---\nschema: Schemas/Person\n---\n")
    notes = results(people.ok("schema_validate"))
    assert notes["In.md"]["problems"] == []
    assert faults(notes["By entity.md"]) == faults(notes["By name.md"]) == [("name", "missing", "warning")]


def test_without_arguments_all_notes_with_a_type_or_a_schema(people: Served) -> None:
    people.write("Plain.md", "x")
    report = people.ok("schema_validate")
    assert (set(results(report)), report["without_schema"]) == ({"P/Ada.md", "P/Bob.md", "P/Eve.md"}, 1)
    assert report["types"] == {"person": 3, "company": 1, "schema": 1}


def test_a_note_against_the_schema_of_another_type(people: Served) -> None:
    report = people.ok("schema_validate", identifier="Acme", note_type="person")
    assert faults(report["results"][0]) == [("name", "missing", "warning")]


def test_several_schemas_for_a_type_are_told_and_the_newest_counts(people: Served) -> None:
    people.write("Schemas/Person 2.md", "---\ntype: schema\nentity: person\nversion: 2\nschema: {}\n---\n")
    report = people.ok("schema_validate", note_type="person")
    assert report["several_schemas"] == {"person": ["Schemas/Person 2.md", "Schemas/Person.md"]}
    assert report["warning_count"] == 0
    text = people.call("schema_validate", note_type="person").blocks[0]
    assert "Several schemas are for person; Schemas/Person 2.md is used, not Schemas/Person.md." in text


BROKEN = [
    ("schema:\n  name: string\n  at:\n    city: strnig\n", "schema.at.city", 7, "'strnig' is no type; is 'string' meant?"),
    ("schema:\n  name?(list): string\n", "schema.name?(list)", 5, "'(list)' is none of"),
    ("schema: [a]\n", "schema", 4, "a schema is a list of"),
    ("schema: {}\nsettings:\n  validation: maybe\n", "settings.validation", 6, "validation is warn or strict"),
    ("schema: {}\nsettings: 5\n", "settings", 5, "settings are a list"),
    ("schema: {}\nsettings:\n  frontmatter:\n    x: y\n", "settings.frontmatter.x", 7, "'y' is no type"),
    ("", "schema", None, "a schema is a list of"),
]  # fmt: skip


@pytest.mark.parametrize(("yaml", "field", "line", "message"), BROKEN, ids=[field for _, field, _, _ in BROKEN])
def test_a_broken_schema_is_named_with_field_and_line(
    served: Served, yaml: str, field: str, line: int | None, message: str
) -> None:
    served.write("Cat schema.md", f"---\ntype: schema\nentity: cat\n{yaml}---\n")
    served.write("Tom.md", "---\ntype: cat\n---\n")
    for arguments in ({"note_type": "cat"}, {"identifier": "Tom"}):
        error = served.fails("schema_validate", "invalid", **arguments)
        assert (error["path"], error["field"], error["line"]) == ("Cat schema.md", field, line)
        assert message in error["message"]
    served.fails("schema_diff", "invalid", note_type="cat")
    report = served.ok("schema_validate")
    (broken,) = report["broken_schemas"]
    assert (broken["field"], broken["line"], report["total_notes"]) == (field, line, 0)
    assert "Cannot be read: Cat schema.md (" in served.call("schema_validate").blocks[0]


def test_a_broken_rival_is_told_but_does_not_stand_in_the_way(people: Served) -> None:
    people.write("Schemas/A.md", "---\ntype: schema\nentity: person\nversion: 9\nschema: 5\n---\n")
    report = people.ok("schema_validate", note_type="person")
    assert (report["total_notes"], [b["file_path"] for b in report["broken_schemas"]]) == (3, ["Schemas/A.md"])


@pytest.mark.parametrize(
    ("name", "message"), [("Nope", "its schema 'Nope' is not found"), ("Acme", "'Acme' is no note of type schema")]
)
def test_a_schema_that_is_not_there(people: Served, name: str, message: str) -> None:
    people.write("X.md", f"---\nschema: {name}\n---\n")
    assert message in people.fails("schema_validate", "invalid", identifier="X")["message"]
    assert [b["file_path"] for b in people.ok("schema_validate")["broken_schemas"]] == ["X.md"]


def test_nothing_to_check_is_a_result_with_guidance(people: Served) -> None:
    report = people.ok("schema_validate", note_type="robot")
    assert report["total_notes"] == 0
    assert report["guidance"] == "There is no note of type 'robot'. Types in use: person (3), company (1), schema (1)."
    assert "schema_infer('company')" in people.ok("schema_validate", note_type="company")["guidance"]
    assert people.call("schema_validate", note_type="robot").blocks[0].startswith("There is no note of type 'robot'.")


def test_a_vault_without_types(served: Served) -> None:
    served.write("Plain.md", "x")
    assert served.ok("schema_validate")["guidance"].startswith("There is nothing to check. No note names a type")


def test_errors(people: Served) -> None:
    people.write("a.png", b"\x89PNG")
    people.write("Bad.md", "---\ntype: [\n---\n")
    people.write("Q/Ada.md", "x")
    people.reindex()
    assert people.fails("schema_validate", "not_found", identifier="Adda")["candidates"][0].endswith("Ada.md")
    people.fails("schema_validate", "ambiguous", identifier="Ada")
    people.fails("schema_validate", "invalid", identifier="a.png")
    assert people.fails("schema_validate", "invalid", identifier="Bad")["line"] == 3


def test_excluded_notes_are_not_counted_but_their_schemas_hold(people: Served) -> None:
    """A13: templates look like notes of their type."""
    people.write(".obsidian/app.json", '{"userIgnoreFilters": ["Templates/", "Schemas/"]}')
    people.write("Templates/Person.md", "---\ntype: person\n---\n")
    assert people.ok("schema_validate", note_type="person")["total_notes"] == 3
    assert people.ok("schema_validate", identifier="Templates/Person")["total_notes"] == 1


def test_denied_notes_are_neither_counted_nor_used(guarded: Served) -> None:
    guarded.write("Secret/Person.md", PERSON.replace("{mode}", "warn"))
    guarded.write("Secret/Eve.md", "---\ntype: person\n---\n")
    guarded.write("Ada.md", "---\ntype: person\n---\n- works_at [[Eve]]\n")
    report = guarded.ok("schema_validate", note_type="person")
    assert (report["total_notes"], report["without_schema"], report["types"]) == (0, 1, {"person": 1})


def test_no_reply_is_too_long(served: Served) -> None:
    fields = "".join(f"  field number {n}: string\n" for n in range(30))
    served.write("S.md", f"---\ntype: schema\nentity: thing\nschema:\n{fields}---\n")
    for n in range(60):
        served.write(f"Things/Thing number {n}.md", "---\ntype: thing\n---\n")
    for form in ("json", "text"):
        reply = served.call("schema_validate", note_type="thing", output_format=form)
        assert 10_000 < len("".join(reply.blocks)) <= LONGEST_REPLY
    report = served.ok("schema_validate", note_type="thing")
    assert (report["error_count"], report["warning_count"]) == (0, 1800)
    assert report["left_out"] == 60 - len(report["results"]) > 0
    assert "lines more are left out" in served.call("schema_validate", note_type="thing").blocks[0]
