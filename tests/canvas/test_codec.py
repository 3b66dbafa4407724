import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.canvas.codec import dumps, loads
from sidecar.canvas.model import Canvas, Unknown, edge_of, node_of
from sidecar.canvas.source import NotACanvas

VAULTS = Path(__file__).parents[1] / "vaults"
REAL = sorted(VAULTS.rglob("*.canvas"))

CARD: dict[str, Any] = {
    "id": "a1b2c3d4e5f60718",
    "type": "text",
    "text": "new",
    "x": 0,
    "y": 0,
    "width": 250,
    "height": 60,
}
EDGE: dict[str, Any] = {"id": "b1b2c3d4e5f60718", "fromNode": "a", "fromSide": "right", "toNode": "b", "toSide": "left"}
COMPACT_CARD = json.dumps(CARD, separators=(",", ":"))
COMPACT_EDGE = json.dumps(EDGE, separators=(",", ":"))


def with_card(text: str, /, **fields: Any) -> str:
    canvas = loads(text)
    return dumps(replace(canvas, nodes=(*canvas.nodes, node_of({**CARD, **fields}))))


@pytest.mark.parametrize("file", REAL, ids=lambda file: file.stem)
def test_real_canvases_come_back_byte_for_byte(file: Path) -> None:
    text = file.read_bytes().decode()
    canvas = loads(text)
    assert dumps(canvas) == text
    assert canvas.nodes
    assert not any(isinstance(part, Unknown) for part in (*canvas.nodes, *canvas.edges))


def test_the_real_canvases_are_there() -> None:
    assert len(REAL) == 51


@pytest.mark.parametrize(
    "text", ["", "{}", " {\n}\r\n", '{"nodes":[]}', '{"edges":[ ]}', '{"nodes":null,"edges":null}']
)
def test_j1_an_empty_canvas_loads_and_stays(text: str) -> None:
    canvas = loads(text)
    assert (canvas.nodes, canvas.edges, dumps(canvas)) == ((), (), text)


def test_j1_a_new_empty_canvas_is_two_bytes() -> None:
    assert dumps(Canvas()) == "{}"


def test_j2_a_new_canvas_has_obsidians_form() -> None:
    nodes = (
        node_of(
            {
                "id": "8132d4d894c80022",
                "type": "file",
                "file": "読む.md",
                "x": -280,
                "y": -200,
                "width": 570,
                "height": 560,
                "color": "6",
            }
        ),
        node_of(
            {
                "id": "59e896bc8da20699",
                "type": "text",
                "text": "a\n[[B]]",
                "x": 40,
                "y": -440,
                "width": 250,
                "height": 60,
            }
        ),
    )
    edge = edge_of(
        {
            "id": "6fa11ab87f90b8af",
            "fromNode": "8132d4d894c80022",
            "fromSide": "right",
            "toNode": "59e896bc8da20699",
            "toSide": "left",
        }
    )
    assert dumps(Canvas(nodes, (edge,))) == (
        '{\n\t"nodes":[\n'
        '\t\t{"id":"8132d4d894c80022","type":"file","file":"読む.md","x":-280,"y":-200,"width":570,"height":560,"color":"6"},\n'
        '\t\t{"id":"59e896bc8da20699","type":"text","text":"a\\n[[B]]","x":40,"y":-440,"width":250,"height":60}\n'
        '\t],\n\t"edges":[\n'
        '\t\t{"id":"6fa11ab87f90b8af","fromNode":"8132d4d894c80022","fromSide":"right","toNode":"59e896bc8da20699","toSide":"left"}\n'
        "\t]\n}"
    )


def test_j2_a_canvas_of_cards_only_has_an_empty_list_of_edges() -> None:
    assert dumps(Canvas((node_of(CARD),))) == f'{{\n\t"nodes":[\n\t\t{COMPACT_CARD}\n\t],\n\t"edges":[]\n}}'


def test_j2_an_object_that_holds_others_is_broken_over_lines() -> None:
    card: dict[str, Any] = {
        "id": "a",
        "type": "text",
        "text": "",
        "x": 0,
        "y": 0,
        "width": 1,
        "height": 1,
        "styleAttributes": {"shape": "pill"},
    }
    text = dumps(Canvas((node_of(card),)))
    assert '\t\t{\n\t\t\t"id":"a",\n\t\t\t"type":"text",' in text
    assert '\n\t\t\t"styleAttributes":{"shape":"pill"}\n\t\t}\n\t]' in text


@pytest.mark.parametrize("text", ["", "{}", "{ }\n"])
def test_j1_a_card_on_an_empty_canvas_gives_obsidians_form(text: str) -> None:
    assert with_card(text) == dumps(Canvas((node_of(CARD),))) + ("\n" if text.endswith("\n") else "")


# text before, text after one card was added at the end of its nodes
STYLES = {
    "tabs, an object a line": (
        '{\n\t"nodes":[\n\t\t{"id":"a","x":1.50}\n\t],\n\t"metadata":{"v":"1.0"}\n}\n',
        f'{{\n\t"nodes":[\n\t\t{{"id":"a","x":1.50}},\n\t\t{COMPACT_CARD}\n\t],\n\t"metadata":{{"v":"1.0"}}\n}}\n',
    ),
    "one line": (
        '{"nodes":[{"id":"a","x":1e2},{"id":"b"}],"edges":[]}',
        f'{{"nodes":[{{"id":"a","x":1e2}},{{"id":"b"}},{COMPACT_CARD}],"edges":[]}}',
    ),
    "one line with spaces": (
        '{"nodes": [{"id": "a", "x": 1}, {"id": "b", "x": 1}], "edges": []}',
        '{"nodes": [{"id": "a", "x": 1}, {"id": "b", "x": 1}, ' + json.dumps(CARD) + '], "edges": []}',
    ),
    "padded braces": (
        '{\n  "nodes": [\n    { "id": "a", "x": 1 }\n  ]\n}',
        '{\n  "nodes": [\n    { "id": "a", "x": 1 },\n    { ' + json.dumps(CARD)[1:-1] + " }\n  ]\n}",
    ),
    "Windows line breaks": (
        '{\r\n\t"nodes":[\r\n\t\t{"id":"a"}\r\n\t]\r\n}',
        f'{{\r\n\t"nodes":[\r\n\t\t{{"id":"a"}},\r\n\t\t{COMPACT_CARD}\r\n\t]\r\n}}',
    ),
    "an empty list, tabs": (
        '{\n\t"edges":[],\n\t"nodes":[]\n}',
        f'{{\n\t"edges":[],\n\t"nodes":[\n\t\t{COMPACT_CARD}\n\t]\n}}',
    ),
    "no list": ('{\n\t"a":1\n}', f'{{\n\t"a":1,\n\t"nodes":[\n\t\t{COMPACT_CARD}\n\t]\n}}'),
    "null for the list": ('{"nodes":null,"a":1}', f'{{"nodes":[{COMPACT_CARD}],"a":1}}'),
    "the last of two lists counts": (
        '{"nodes":[1],"nodes":[{"id":"a"}]}',
        f'{{"nodes":[1],"nodes":[{{"id":"a"}},{COMPACT_CARD}]}}',
    ),
}


@pytest.mark.parametrize(("before", "after"), STYLES.values(), ids=STYLES)
def test_c31_a_new_card_is_written_in_the_style_of_its_canvas(before: str, after: str) -> None:
    assert with_card(before) == after


@pytest.mark.parametrize("indent", [2, 4, "\t"])
def test_c31_indented_json_stays_indented(indent: int | str) -> None:
    data: dict[str, Any] = {
        "nodes": [{"id": "a", "styleAttributes": {"shape": "pill"}}, {"id": "b", "x": 0}],
        "metadata": {"version": "1.0-1.0"},
    }
    after = {**data, "nodes": [*data["nodes"], CARD]}
    assert with_card(json.dumps(data, indent=indent)) == json.dumps(after, indent=indent)


def test_letters_are_escaped_where_the_canvas_escapes_them() -> None:
    assert '"text":"\\u8aad"' in with_card('{"nodes":[{"id":"a","text":"\\u00e9"}]}', text="読")
    assert '"text":"読"' in with_card('{"nodes":[{"id":"a","text":"\\u001f"}]}', text="読")
    assert '"text":"\\ud800"' in with_card("{}", text="\ud800")


def test_only_the_changed_object_is_written_anew() -> None:
    text = '{"nodes":[\n{"id":"a","x":1.0e1 , "y" :2},\n\n{ "id":"b","x":3},\n {"id":"c","x":4}\n]}'
    canvas = loads(text)
    changed = (canvas.nodes[0], node_of({"id": "b", "x": 5}), canvas.nodes[2])
    assert dumps(replace(canvas, nodes=changed)) == text.replace('"x":3}', '"x":5}')


@pytest.mark.parametrize(
    ("before", "fields", "after"),
    [
        ('{ "id" : "b" , "x":1.50 }', {"id": "b", "x": 1.5, "y": 2}, '{ "id" : "b" , "x":1.50 , "y" : 2 }'),
        ('{"id":"b","k":{"z":[1, 2]},"x":1}', {"id": "b", "k": {"z": [1, 2]}, "x": 2}, '{"id":"b","k":{"z":[1, 2]},"x":2}'),
        ('{"id":"b","x":1,"y":2}', {"id": "b", "y": 2}, '{"id":"b","y":2}'),
        ('{"id":"b","x":1}', {"id": "b", "color": "1", "x": 1}, '{"id":"b","color":"1","x":1}'),
        ('{"id":"b","x":1,"x":2}', {"id": "b", "x": 3}, '{"id":"b","x":3}'),
        ('{\n "id": "b",\n "x": 1e1\n}', {"id": "b", "x": 10.0, "y": 1}, '{\n "id": "b",\n "x": 1e1,\n "y": 1\n}'),
    ],
)  # fmt: skip
def test_in_a_changed_object_only_the_changed_members_are_written_anew(
    before: str, fields: dict[str, Any], after: str
) -> None:
    text = '{"nodes":[{"id":"a"},' + before + "]}"
    canvas = loads(text)
    assert dumps(replace(canvas, nodes=(canvas.nodes[0], node_of(fields)))) == text.replace(before, after)


def test_objects_that_share_an_id_are_not_mistaken_for_one_another() -> None:
    canvas = loads('{"nodes":[{"id":"a","x": 1},{"id":"a","x": 2}]}')
    changed = tuple(node_of({"id": "a", "x": number}) for number in (3, 4))
    assert json.loads(dumps(replace(canvas, nodes=changed))) == {"nodes": [{"id": "a", "x": 3}, {"id": "a", "x": 4}]}


def test_a_new_card_at_the_end_gets_no_blank_line_that_others_have() -> None:
    text = '{\n\t"nodes":[\n\t\t{"id":"a"},\n\n\t\t{"id":"b"},\n\t\t{"id":"c"},\n\n\t\t{"id":"d"}\n\t]\n}'
    assert with_card(text) == text.replace('"d"}\n', f'"d"}},\n\t\t{COMPACT_CARD}\n')


def test_cards_can_be_removed_and_moved_in_z_order() -> None:
    text = (
        '{\n\t"nodes":[\n\t\t{"id":"a"},\n\t\t{"id":"b" },\n\t\t{"id":"c"}\n\t],\n\t"edges":[\n\t\t{"id":"e"}\n\t]\n}'
    )
    canvas = loads(text)
    a, b, c = canvas.nodes
    moved = dumps(replace(canvas, nodes=(c, b, a)))
    assert moved == text.replace('"a"', '"?"').replace('"c"', '"a"').replace('"?"', '"c"')
    assert dumps(replace(canvas, nodes=(a, c))) == text.replace('\t\t{"id":"b" },\n', "")
    assert dumps(replace(canvas, edges=())) == text.replace('[\n\t\t{"id":"e"}\n\t]', "[]")


def test_j5_other_keys_of_the_root_can_be_changed_added_and_removed() -> None:
    canvas = loads('{\n\t"nodes":[],\n\t"metadata":{"v" : 1},\n\t"z":0\n}')
    text = dumps(replace(canvas, extras={"metadata": canvas.extras["metadata"], "new": "n"}, edges=(edge_of(EDGE),)))
    assert (
        text == f'{{\n\t"nodes":[],\n\t"metadata":{{"v" : 1}},\n\t"edges":[\n\t\t{COMPACT_EDGE}\n\t],\n\t"new":"n"\n}}'
    )
    assert dumps(replace(canvas, extras={"z": 1})) == '{\n\t"nodes":[],\n\t"z":1\n}'
    assert dumps(replace(loads('{"z":0}'), extras={})) == "{}"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[]", 1),
        ("\n 3", 2),
        ("null", 1),
        ("{", 1),
        ('{"nodes":[\n{"id":"a"}\n', 3),
        ('{"nodes":[\n{"id":"a",}]}', 2),
        ('{"nodes":[1 2]}', 1),
        ('{"a":1,}', 1),
        ('{"a" 1}', 1),
        ("{a:1}", 1),
        ('{\n"a":NaN}', 2),
        ('{"a":-Infinity}', 1),
        ('{"a":01}', 1),
        ('{"a":"\n"}', 1),
        ("{}\n{}", 2),
        ("// no\n{}", 1),
        ('{"nodes":[' + "[" * 100_000, 1),
    ],
)
def test_what_is_no_canvas_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(NotACanvas) as caught:
        loads(text)
    assert (caught.value.line, caught.value.category, caught.value.data) == (line, "invalid", {"line": line})


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,"a":2,"nodes":5,"nodes":[{"id":"x","id":"y"},{"id":"x","id":"y"}],"nodes":[]}',
        '{"nodes":[null,1,"x",[],{"type":"text"},{"type":"portal","id":"p"},{"type":["text"]}],"edges":{}}',
        '{"nodes":[{"x":1e999,"y":-0,"z":' + "9" * 5000 + ',"w":1.10}]}',
        '{"nodes":[{"id":"a","type":"text","text":"\\ud800\\/\\u0041","x":0,"y":0,"width":1,"height":1,"\\ud800":1}]}',
        '{"\\u006eodes":[{"model_config":1,"_order":2,"to_json":3,"id":"a","type":"text","text":"","x":0,"y":0,"width":1,"height":1}]}',
    ],
)
def test_odd_but_valid_json_comes_back(text: str) -> None:
    canvas = loads(text)
    assert dumps(canvas) == text
    again = dumps(replace(canvas, source=None))
    assert [node.to_json() for node in loads(again).nodes] == [node.to_json() for node in canvas.nodes]


SPACES = st.text(alphabet=" \t\n\r", max_size=3)
KEYS = st.sampled_from(["id", "type", "x", "width", "color", "nodes", "edges", "text", "\u00e9", ""]) | st.text(
    max_size=3
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8)
    | st.sampled_from(["text", "file", "group"])
)


@st.composite
def spelled(draw: st.DrawFn, value: Any) -> str:
    """Write a value in one of the many ways that JSON allows."""
    before, after = draw(SPACES), draw(SPACES)
    if isinstance(value, list):
        text = "[" + (",".join(draw(spelled(child)) for child in value) or draw(SPACES)) + "]"
    elif isinstance(value, tuple):  # pairs of an object, keys repeated or not
        text = (
            "{"
            + (",".join(f"{draw(spelled(key))}:{draw(spelled(child))}" for key, child in value) or draw(SPACES))
            + "}"
        )
    elif isinstance(value, str):
        text = json.dumps(
            value, ensure_ascii=draw(st.booleans()) or any("\ud800" <= char <= "\udfff" for char in value)
        )
    else:
        text = json.dumps(value)
    return before + text + after


def pairs(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(st.tuples(KEYS, values), max_size=4).map(tuple)


VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | pairs(inner), max_leaves=6)
PARTS = st.tuples(st.sampled_from(["nodes", "edges", "metadata"]), st.lists(pairs(VALUES), max_size=3) | VALUES)
DOCUMENTS = st.lists(PARTS, max_size=4).map(tuple).flatmap(spelled)


@given(DOCUMENTS)
def test_law_dumps_of_loads_is_the_text(text: str) -> None:
    assert dumps(loads(text)) == text


@given(DOCUMENTS)
def test_law_a_new_card_leaves_every_other_object_as_it_was(text: str) -> None:
    canvas = loads(text)
    written = with_card(text)
    again = loads(written)
    assert json.loads(written)["nodes"][-1] == CARD
    assert [node.to_json() for node in again.nodes[:-1]] == [node.to_json() for node in canvas.nodes]
    assert again.edges == canvas.edges
    if canvas.source and canvas.nodes:  # nothing is lost, and what is new stands in one place
        end = canvas.source.items("nodes")[-1].end
        assert written.startswith(text[:end])
        assert written.endswith(text[end:])


@given(DOCUMENTS)
def test_law_a_canvas_without_its_source_says_the_same(text: str) -> None:
    canvas = loads(text)
    again = loads(dumps(replace(canvas, source=None)))
    assert again == canvas
