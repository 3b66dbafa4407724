import json
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.parse import yaml_loader
from sidecar.parse.yaml_loader import YamlProblem, load

ROWS = json.loads((Path(__file__).parents[1] / "fixtures/obsidian/yaml_eemeli_2.7.0.json").read_text("utf-8"))["parse"]
BACKENDS = [yaml.CSafeLoader, yaml.SafeLoader]


@pytest.fixture(params=BACKENDS, ids=lambda backend: backend.__name__)
def _backend(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each case runs on libyaml and on the pure-Python parser that stands in where libyaml is missing."""
    monkeypatch.setattr(yaml_loader, "_BACKEND", request.param)


def as_javascript(value: Any) -> Any:
    """JavaScript keeps 53 bits of a number; ours stay exact."""
    if isinstance(value, dict):
        return {key: as_javascript(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_javascript(item) for item in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


@pytest.mark.usefixtures("_backend")
@pytest.mark.parametrize("row", ROWS, ids=[row["yaml"] for row in ROWS])
def test_y2_reads_what_obsidian_reads(row: dict[str, Any]) -> None:
    if "error" in row:
        with pytest.raises(YamlProblem):
            load(row["yaml"])
    else:
        value = load(row["yaml"])
        assert json.dumps(as_javascript(value)) == json.dumps(as_javascript(row["value"]))


def test_the_fixture_is_whole() -> None:
    assert len(ROWS) == 54


@pytest.mark.usefixtures("_backend")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 12345678901234567890", 12345678901234567890),
        ("a: .inf", ".inf"),
        ("a: .nan", ".nan"),
        ("a: 1e999", "1e999"),
        (f"a: {'9' * 400}", "9" * 400),
        (f"a: 0x{'F' * 5000}", "0x" + "F" * 5000),
        ("a: !x 5", "5"),
        ("a: !x", ""),
        ("a: !x [1, 2]", [1, 2]),
        ("a: !x {b: 1}", {"b": 1}),
        ("a: ! 5", "5"),
        ("a: !!int 5", 5),
        ("a: !!binary aGk=", "aGk="),
        ("a: x\x85y", "x\x85y"),
        ("a: x\u2028y\u2029z", "x\u2028y\u2029z"),
        ("a: x\x01y\x7f", "x\x01y\x7f"),
        ("a: x\ufeffy", "x\ufeffy"),
        ("a: x\ry", "x\ry"),
        ("a: |\n  x\u2028y\n  z", "x\u2028y\nz\n"),
        ('a: "x\x85\\x85"', "x\x85\x85"),
        ("a: &x [1]\nb: *x", [1]),
        ("a: 1\r\nb: |\r\n  x\r\n  y\r\n", 1),
        ("a: -   \nb: 2", [None]),
        ("a: |\n  b: -\n", "b: -\n"),
        ("? [a, {b: c}]\n: 1\na: 2", 2),
    ],
)
def test_y2a_what_libyaml_alone_refuses_or_misreads(text: str, value: object) -> None:
    read = load(text)
    assert isinstance(read, dict)
    assert read["a"] == value
    json.dumps(read, allow_nan=False)


@pytest.mark.usefixtures("_backend")
@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("1: x\ntrue: y\n~: z\n017: o\n1.50: f", ["1", "true", "", "17", "1.5"]),
        ("? [a, {b: c}]\n: 1", ["[ a, { b: c } ]"]),
        ("{{title}}: 1", ["{ { title } }"]),
        ("<<: {b: 1}\n=: 2", ["<<", "="]),
        ("'1': x", ["1"]),
    ],
)
def test_y2_names_are_text(text: str, keys: list[str]) -> None:
    read = load(text)
    assert isinstance(read, dict)
    assert list(read) == keys


@pytest.mark.usefixtures("_backend")
@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("a: 1\nb: 2\na: 3", 3, "'a' stands there twice"),
        ("a: {b: 1, b: 2}", 1, "'b' stands there twice"),
        ('keep: yes\na: "unterminated\nb: 1', 2, "never closed"),
        ("x: 1\na: b: c", 2, "needs quotes"),
        ("x: 1\na: ![[x]]", 2, ""),
        ("a: 1\n--- \nb: 1", 2, "more than one YAML document"),
        ("a: *x", 1, "needs quotes"),
        ("a: - x", 1, ""),
        ("a: -\n  b", 1, "a line of its own"),
        ('a: "\\ud83d"', 1, ""),
        ('a: "\\UFFFFFFFF"', 1, ""),
    ],
)
def test_y3_problems_have_a_line(text: str, line: int, message: str) -> None:
    with pytest.raises(YamlProblem) as problem:
        load(text)
    assert problem.value.line == line
    assert message in problem.value.message


@pytest.mark.usefixtures("_backend")
@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000,
        "- " * 5_000 + "x",
        "{a: " * 3_000,
        "\n".join("  " * depth + "a:" for depth in range(300)),
        "a: &a " + "[" * 60 + "]" * 60 + "\nb: &b " + "[" * 60 + "*a" + "]" * 60,
    ],
    ids=["flow", "dashes", "maps", "indents", "aliases"],
)
def test_deep_nesting_is_a_problem_not_a_crash(text: str) -> None:
    with pytest.raises(YamlProblem, match="nested deeper"):
        load(text)


@pytest.mark.usefixtures("_backend")
def test_many_aliases_are_refused_at_once() -> None:
    laughs = "a: &a [lol, lol]\n" + "".join(
        f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    started = time.process_time()
    with pytest.raises(YamlProblem, match="aliases"):
        load(laughs)
    assert time.process_time() - started < 1


@pytest.mark.usefixtures("_backend")
def test_a_hundred_aliases_are_read() -> None:
    read = load("a: &a x\nb: [" + ", ".join(["*a"] * 100) + "]")
    assert isinstance(read, dict)
    assert read["b"] == ["x"] * 100


def test_too_many_lone_dashes_end_in_a_problem() -> None:
    with pytest.raises(YamlProblem, match="too many"):
        load("\n".join(f"k{n}: -" for n in range(1000)))


YAML_LIKE = st.text(st.sampled_from(" \n\t\r-?:#'\"ab[]{},|>&*!%@`~.0\\uU\x85\u2028\ufeff\x01<YAML1"), max_size=40)


@pytest.mark.parametrize("backend", BACKENDS, ids=lambda backend: backend.__name__)
@settings(max_examples=400, deadline=None)
@given(st.text() | YAML_LIKE | st.text(st.characters(categories=["Cs", "Cc", "Po"])))
def test_law_loading_raises_nothing_else_and_gives_json(backend: type, text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml_loader, "_BACKEND", backend)
        line = 1
        try:
            json.dumps(load(text), allow_nan=False)
        except YamlProblem as problem:
            line = problem.line
        assert 1 <= line <= text.count("\n") + 2
