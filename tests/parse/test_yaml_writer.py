import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.model.note import Json
from sidecar.parse import yaml_loader
from sidecar.parse.yaml_loader import load
from sidecar.parse.yaml_writer import dump_entry, dump_flow, dump_item, dump_mapping, dump_value

FIXTURE = Path(__file__).parents[1] / "fixtures/obsidian/yaml_eemeli_2.7.0.json"
ROWS = json.loads(FIXTURE.read_text("utf-8"))["stringify"]

WORDS = st.text(st.sampled_from(" \n-?:#'\"ab[]{},|>&*!%@`~.0é\x85\u2028"), max_size=8) | st.text(max_size=8)
SCALARS = (
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False) | WORDS
)
VALUES = st.recursive(SCALARS, lambda v: st.lists(v, max_size=3) | st.dictionaries(WORDS, v, max_size=3), max_leaves=8)


@pytest.mark.parametrize("row", ROWS, ids=[json.dumps(row["value"]) for row in ROWS])
def test_y5_writes_what_obsidian_writes(row: dict[str, Any]) -> None:
    assert dump_mapping(row["value"]) == row["yaml"]
    assert load(row["yaml"]) == row["value"]


def test_the_fixture_is_whole() -> None:
    assert len(ROWS) == 42


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([], "a: []\n"),
        ({}, "a: {}\n"),
        ([None, [], {}], "a:\n  -\n  - []\n  - {}\n"),
        ([["x", ["y"]], {"b": {"c": 1}, "d": [2]}], "a:\n  - - x\n    - - y\n  - b:\n      c: 1\n    d:\n      - 2\n"),
        ("x\n", "a: |\n  x\n"),
        ("x\n\ny", "a: |-\n  x\n\n  y\n"),
        (" x\ny", 'a: " x\\ny"\n'),
        ("x\n\n", 'a: "x\\n\\n"\n'),
        ("x\n  ", 'a: "x\\n  "\n'),
        (["x\ny"], "a:\n  - |-\n    x\n    y\n"),
        ("x\x85y\u2028\x00\x7f\r", 'a: "x\\u0085y\\u2028\\u0000\\u007f\\r"\n'),
        ('it\'s "x": y', 'a: "it\'s \\"x\\": y"\n'),
        (1.0, "a: 1\n"),
        (1e-7, "a: 1e-7\n"),
        (float("inf"), "a: .inf\n"),
    ],
)
def test_y5_more_values(value: Json, text: str) -> None:
    assert dump_entry("a", value) == text


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("12", '"12"'),
        ("---x", '"---x"'),
        ("...", '"..."'),
        ("<<", "<<"),
        ("", '""'),
        ("a b", "a b"),
        ("true", '"true"'),
    ],
)
def test_y5_names(name: str, written: str) -> None:
    assert dump_entry(name, 1) == f"{written}: 1\n"
    assert load(dump_entry(name, 1)) == {name: 1}


def test_no_properties_are_no_text() -> None:
    assert dump_mapping({}) == ""


@pytest.mark.parametrize(
    ("value", "text"),
    [(["a, b", "?", None, 1, True], '["a, b", "?", null, 1, true]'), ({"k": "x:"}, '{ k: "x:" }'), ({}, "{}")],
)
def test_flow_values_stand_on_one_line(value: Json, text: str) -> None:
    assert dump_flow(value) == text


def test_items_stand_behind_their_indent() -> None:
    assert dump_item({"b": 1, "c": [2]}, "    ") == "    - b: 1\n      c:\n        - 2\n"


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(WORDS, VALUES, min_size=1, max_size=4))
def test_law_what_is_written_is_read_back(mapping: dict[str, Json]) -> None:
    """But for 1.0, which is 1, as in JavaScript."""
    assert load(dump_mapping(mapping)) == mapping
    assert load(f"k: {dump_flow(mapping)}") == {"k": mapping}
    assert load("".join(f"k{n}:{dump_value(v)}" for n, v in enumerate(mapping.values()))) == {
        f"k{n}": value for n, value in enumerate(mapping.values())
    }


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(WORDS, VALUES, min_size=1, max_size=4))
def test_law_the_pure_python_parser_reads_it_too(mapping: dict[str, Json]) -> None:
    """But for tabs between words, which it reads as spaces."""
    written = dump_mapping(mapping)
    if "\t" not in written:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(yaml_loader, "_BACKEND", yaml.SafeLoader)
            assert load(written) == mapping
