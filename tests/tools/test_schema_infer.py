from typing import Any

import pytest

from sidecar.parse.yaml_loader import load
from tests.conftest import Served

LONGEST_REPLY = 25_000


@pytest.fixture
def meetings(served: Served) -> Served:
    for n in range(8):
        rare = "score: 2.5\n" if n == 0 else ""
        state = "open" if n % 2 else "done"
        held = f"date: 2026-01-0{n + 1}\nminutes: {n}\nstate: {state}\nremote: true\n{rare}"
        served.write(
            f"M/{n}.md", f"---\ntype: meeting\n{held}---\n- [decision] number {n}\n- [decision] two\n- led_by [[Ada]]\n"
        )
    served.write("Ada.md", "---\ntype: person\n---\n")
    return served


def test_a_schema_with_real_types_from_properties_observations_and_relations(meetings: Served) -> None:
    report = meetings.ok("schema_infer", note_type="meeting")
    assert report["suggested_schema"] == {
        "date": "string",
        "decision(array)": "string",
        "led_by": "Person",
        "minutes": "integer",
        "remote": "boolean",
        "state(enum)": ["done", "open"],
    }
    assert (report["notes_analyzed"], report["threshold"], report["excluded"]) == (8, 0.25, ["score"])
    assert (len(report["suggested_required"]), report["suggested_optional"]) == (6, [])
    uses = {use["name"]: use for use in report["field_frequencies"]}
    assert uses["score"] == {
        "name": "score",
        "source": ["property"],
        "type": "number",
        "is_array": False,
        "count": 1,
        "total": 8,
        "percentage": 0.125,
        "sample_values": ["2.5"],
    }
    assert (uses["decision"]["source"], uses["decision"]["is_array"]) == (["observation"], True)
    assert uses["led_by"]["source"] == ["relation"]


@pytest.mark.parametrize(
    ("threshold", "suggested"), [(0, True), (0.1, True), ("0.125", True), (0.13, False), (1, False)]
)
def test_the_threshold_decides_about_rare_fields(meetings: Served, threshold: Any, suggested: bool) -> None:
    schema = meetings.ok("schema_infer", note_type="Meeting", threshold=threshold)["suggested_schema"]
    assert ("score?" in schema) is suggested


def test_the_suggested_note_can_be_written_and_all_notes_fit_it(meetings: Served) -> None:
    yaml = meetings.ok("schema_infer", note_type="meeting", threshold=0)["yaml"]
    assert load(yaml.strip("-\n")) == {
        "type": "schema",
        "entity": "meeting",
        "version": 1,
        "schema": meetings.ok("schema_infer", note_type="meeting", threshold=0)["suggested_schema"],
        "settings": {"validation": "warn"},
    }
    meetings.ok("write_note", title="Meeting", directory="Schemas", content=f"{yaml}# Meeting\n")
    report = meetings.ok("schema_validate", note_type="meeting")
    assert (report["total_notes"], report["valid_count"]) == (8, 8)
    assert meetings.ok("schema_infer", note_type="meeting")["existing_schemas"] == ["Schemas/Meeting.md"]
    assert "schema_diff compares" in meetings.call("schema_infer", note_type="meeting").blocks[0]
    assert "No drift" in meetings.call("schema_diff", note_type="meeting").blocks[0]


def test_text(meetings: Served) -> None:
    text = meetings.call("schema_infer", note_type="meeting").blocks[0]
    assert text.startswith("# 8 notes of type meeting: 6 of 7 fields suggested\n")
    mark = text.split("Between <", 1)[1].split(">", 1)[0]
    assert "- minutes: integer, property, 100 % (8/8), e.g. 0, 1, 2\n" in text
    assert "- decision: list of string, observation, 100 % (8/8), e.g. two, number 0, number 1\n" in text
    assert f"Left out of the schema: <{mark}>score 12 %</{mark}>" in text
    assert f"<{mark}>\n---\ntype: schema\nentity: meeting\n" in text
    assert f"  validation: warn\n---\n</{mark}>" in text


def test_notes_without_a_type_are_of_type_note(served: Served) -> None:
    served.write("A.md", "- [fact] x\n")
    served.write("B.md", "---\ntype: note\n---\n- [fact] y\n")
    served.write("p.png", b"\x89PNG")
    assert served.ok("schema_infer", note_type="note")["notes_analyzed"] == 2


def test_nothing_to_infer_from_is_a_result_with_guidance(meetings: Served) -> None:
    report = meetings.ok("schema_infer", note_type="robot")
    assert (report["notes_analyzed"], report["yaml"], report["suggested_schema"]) == (0, "", {})
    assert report["guidance"] == "There is no note of type 'robot'. Types in use: meeting (8), person (1)."
    assert meetings.call("schema_infer", note_type="robot").blocks[0].startswith(report["guidance"])
    assert "no properties of their own" in meetings.call("schema_infer", note_type="person").blocks[0]


@pytest.mark.parametrize(
    "arguments", [{"threshold": 5}, {"threshold": -0.1}, {"threshold": "nan"}, {"threshold": "x"}, {"note_type": None}]
)
def test_bad_arguments(meetings: Served, arguments: dict[str, Any]) -> None:
    meetings.fails("schema_infer", "invalid", **{"note_type": "meeting", **arguments})


def test_denied_notes_are_never_counted(guarded: Served) -> None:
    guarded.write("Secret/A.md", "---\ntype: meeting\n---\n- [secret] word\n- led_by [[B]]\n")
    guarded.write("Secret/B.md", "---\ntype: boss\n---\n")
    guarded.write("C.md", "---\ntype: meeting\n---\n- led_by [[B]]\n")
    report = guarded.ok("schema_infer", note_type="meeting")
    assert (report["notes_analyzed"], report["suggested_schema"]) == (1, {"led_by": "string"})


def test_no_reply_is_too_long(served: Served) -> None:
    for n in range(300):
        facts = "".join(f"- [a category of some length {n} {m}] {'value ' * 20}\n" for m in range(3))
        served.write(f"N{n}.md", f"---\ntype: big\n---\n{facts}")
    for form in ("json", "text"):
        reply = served.call("schema_infer", note_type="big", threshold=0, output_format=form)
        assert 10_000 < len("".join(reply.blocks)) <= LONGEST_REPLY
    report = served.ok("schema_infer", note_type="big", threshold=0)
    assert 10 < len(report["suggested_schema"]) < 900
    assert report["left_out"] == 900 - len(report["field_frequencies"])
