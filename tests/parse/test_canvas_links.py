import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.model.note import Card, FileKind, Link, LinkKind
from sidecar.model.path import VaultPath
from sidecar.parse.canvas_links import parse_canvas

VAULTS = Path(__file__).parents[1] / "vaults"
PATH = VaultPath("maps/My map.canvas")


def canvas(*nodes: dict[str, Any], edges: list[dict[str, Any]] | None = None) -> str:
    return json.dumps({"nodes": list(nodes), "edges": edges or []})


def test_j9_the_sample_of_the_specification() -> None:
    parsed = parse_canvas(VaultPath("sample.canvas"), (VAULTS / "jsoncanvas/sample.canvas").read_text(encoding="utf-8"))
    text = "Learn more:\n\n- [Apps](/docs/apps.md)\n- [Spec](spec/1.0.md)\n- [Github](https://github.com/obsidianmd/jsoncanvas)"
    assert (parsed.kind, parsed.title, parsed.body, parsed.problem) == (
        FileKind.CANVAS,
        "sample",
        f"JSON Canvas\n\n{text}",
        None,
    )
    assert parsed.cards == (Card("754a8ef995f366bc", "JSON Canvas"), Card("59e896bc8da20699", text))
    assert [(link.kind, link.raw, link.linkpath, link.line, link.start, link.card) for link in parsed.links] == [
        (LinkKind.CANVAS_FILE, "readme.md", "readme.md", 4, 0, "8132d4d894c80022"),
        (LinkKind.CANVAS_FILE, "_site/logo.svg", "_site/logo.svg", 5, 0, "7efdbbe0c4742315"),
        (LinkKind.CANVAS_TEXT, "[Apps](/docs/apps.md)", "/docs/apps.md", 6, 15, "59e896bc8da20699"),
        (LinkKind.CANVAS_TEXT, "[Spec](spec/1.0.md)", "spec/1.0.md", 6, 39, "59e896bc8da20699"),
        (LinkKind.CANVAS_FILE, "spec/1.0.md", "spec/1.0.md", 7, 0, "0ba565e7f30e0652"),
    ]


def test_j9_links_of_all_kinds_of_cards() -> None:
    parsed = parse_canvas(
        PATH,
        canvas(
            {"id": "f", "type": "file", "file": "A/B.md", "subpath": "#Heading"},
            {"id": "g", "type": "group", "label": "Group", "background": "pictures/b.png"},
            {"id": "t", "type": "text", "text": "see ![[C#^block|shown]]"},
            {"id": "l", "type": "link", "url": "https://example.com"},
            edges=[{"id": "e", "label": "leads to"}, {"id": "e2"}],
        ),
    )
    assert parsed.links[:2] == (
        Link(LinkKind.CANVAS_FILE, "A/B.md", "A/B.md", "#Heading", None, 1, 0, card="f"),
        Link(LinkKind.CANVAS_FILE, "pictures/b.png", "pictures/b.png", "", None, 1, 0, card="g"),
    )
    (link,) = parsed.links[2:]
    assert (link.kind, link.raw, link.linkpath, link.subpath, link.display) == (
        LinkKind.CANVAS_TEXT,
        "![[C#^block|shown]]",
        "C",
        "#^block",
        "shown",
    )
    assert (link.line, link.start, link.card) == (1, 4, "t")
    assert parsed.body == "Group\n\nsee ![[C#^block|shown]]\n\nleads to"


def test_j9_a_card_is_plain_text_without_properties_and_tags() -> None:
    parsed = parse_canvas(
        PATH,
        canvas({"id": "t", "type": "text", "text": '---\ntags: a\nup: "[[Up]]"\n---\n#b [[In text]]\n\n`[[code]]`'}),
    )
    assert (parsed.properties, parsed.tags, parsed.aliases, parsed.headings) == ({}, (), (), ())
    assert [link.linkpath for link in parsed.links] == ["Up", "In text"]
    assert {link.kind for link in parsed.links} == {LinkKind.CANVAS_TEXT}
    assert {link.property for link in parsed.links} == {None}


@pytest.mark.parametrize("text", ["", "{}", '{"nodes":null}', '{"edges":[]}', '{"nodes":[]}'])
def test_j1_an_empty_canvas_says_nothing(text: str) -> None:
    parsed = parse_canvas(PATH, text)
    assert (parsed.title, parsed.body, parsed.links, parsed.cards, parsed.problem) == ("My map", "", (), (), None)


def test_a_broken_canvas_is_a_finding() -> None:
    parsed = parse_canvas(PATH, '{\n"nodes":[\n{"id":]}')
    assert parsed.kind is FileKind.CANVAS
    assert (parsed.body, parsed.links) == ("", ())
    assert parsed.problem is not None
    assert parsed.problem.line == 3


def test_odd_cards_are_read_as_far_as_they_go() -> None:
    parsed = parse_canvas(
        PATH,
        '{"nodes":[null,5,{"type":"file"},{"type":"file","file":3},{"type":"file","file":"a.md","subpath":"no"},\n'
        '{"type":"text","text":"half \\ud800 [[b]]"},{"type":["text"],"text":"x"},{"type":"portal","text":"y","file":"z.md"},\n'
        '{"id":7,"type":"group","label":""}],"edges":[3,{"label":4}]}',
    )
    assert [(link.linkpath, link.subpath, link.line, link.card) for link in parsed.links] == [
        ("a.md", "", 1, ""),
        ("b", "", 2, ""),
    ]
    assert parsed.body == "half \ufffd [[b]]"
    parsed.body.encode()


def test_j10_j12_edges_to_nowhere_and_fields_of_plugins_hide_nothing() -> None:
    parsed = parse_canvas(
        PATH,
        '{"metadata":{"version":"1.0-1.0","frontmatter":{"up":"[[No]]"}},"nodes":[{"id":"p","type":"file",'
        '"file":"Inner.canvas","portal":true,"interdimensionalEdges":[{"toNode":"far"}],"styleAttributes":{}},'
        '{"id":"t","type":"text","text":"---\\nup: x\\n---\\n[[Yes]]","zIndex":3}],'
        '"edges":[{"id":"e","fromNode":"gone","toNode":"p","label":"leads on"}]}',
    )
    assert [link.linkpath for link in parsed.links] == ["Inner.canvas", "Yes"]
    assert parsed.properties == {}
    assert parsed.body.endswith("leads on")
    assert parsed.incomplete is None


@pytest.mark.parametrize("file", sorted(VAULTS.rglob("*.canvas")), ids=lambda file: file.stem)
def test_every_card_of_a_real_canvas_is_found(file: Path) -> None:
    text = file.read_bytes().decode()
    parsed = parse_canvas(VaultPath(file.name), text)
    nodes = json.loads(text)["nodes"]
    assert len(parsed.cards) == sum(node["type"] in ("text", "group") for node in nodes)
    files = [(link.raw, link.line) for link in parsed.links if link.kind is LinkKind.CANVAS_FILE]
    assert [raw for raw, _ in files] == [node["file"] for node in nodes if node["type"] == "file"]
    lines = text.split("\n")
    assert all(f'"file":"{raw}"' in lines[line - 1] for raw, line in files)


@given(st.text(max_size=60) | st.text(alphabet='{}[]",:nodes\\', max_size=40))
def test_law_parsing_never_raises(text: str) -> None:
    assert parse_canvas(PATH, text).path == PATH
    parse_canvas(PATH, canvas({"id": text, "type": "text", "text": text}))
