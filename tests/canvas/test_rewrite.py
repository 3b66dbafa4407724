import json

import pytest

from sidecar.canvas.rewrite import rewrite_canvas
from sidecar.canvas.source import NotACanvas


def moved(text: str) -> str:
    return rewrite_canvas(
        text,
        lambda path: "Sub/Néw.md" if path == "Old.md" else path,
        lambda card: card.replace("[[Old]]", "[[Néw]]"),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '{\n\t"nodes":[\n\t\t{"id":"a","type":"file","file":"Old.md","x":1.50,"k":{"n":[1, 2]}},\n\t\t{"type" : "text", "text":"a\\n[[Old]]"}\n\t]\n}',
            '{\n\t"nodes":[\n\t\t{"id":"a","type":"file","file":"Sub/Néw.md","x":1.50,"k":{"n":[1, 2]}},\n\t\t{"type" : "text", "text":"a\\n[[Néw]]"}\n\t]\n}',
        ),
        (
            '{"nodes":[{"type":"group","label":"Old.md","background":"Old.md"}]}',
            '{"nodes":[{"type":"group","label":"Old.md","background":"Sub/Néw.md"}]}',
        ),
        (
            '{"nodes": [{"type": "file", "file": "Old.md", "z": "\\u65e5"}]}',
            '{"nodes": [{"type": "file", "file": "Sub/N\\u00e9w.md", "z": "\\u65e5"}]}',
        ),
        (
            '{"nodes":[{"type":"file","file":"x","file":"Old.md"}]}',
            '{"nodes":[{"type":"file","file":"x","file":"Sub/Néw.md"}]}',
        ),
    ],
    ids=["file and text", "group", "escaped", "twice the same key"],
)
def test_only_the_value_changes(text: str, expected: str) -> None:
    assert moved(text) == expected
    json.loads(expected)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "{}",
        "[]"[:0],
        '{"nodes":5}',
        '{"nodes":[{"type":"file","file":7},"Old.md",null,{"type":["file"],"file":"Old.md"}],"edges":[{"label":"[[Old]]"}]}',
        '{"nodes":[{"type":"link","url":"Old.md"},{"type":"file","file":""}],"file":"Old.md"}',
    ],
)
def test_all_else_is_left_alone(text: str) -> None:
    assert moved(text) == text


def test_what_is_no_canvas_says_so() -> None:
    with pytest.raises(NotACanvas):
        moved("{")
