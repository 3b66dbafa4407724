import pytest

from sidecar.model.path import VaultPath
from sidecar.parse.note import parse_note

HEAD = "---\n\nexcalidraw-plugin: parsed\ntags: [sketch]\n\n---\n==Switch to EXCALIDRAW VIEW==\n\n"
TEXTS = (
    "# Excalidraw Data\n\n## Text Elements\nA box [[Target]] ^abc12345\n\n## Embedded Files\nf00: [[picture.png]]\n\n"
)
COMPRESSED = "%%\n## Drawing\n```compressed-json\nN4KAkARALgngDgUwgLgAQQQDwMYEMA2AlgCYBOuA7hADTgQBuCpAzoQPYB2KqATL\n\nshort tail\n```\n%%\n"
JSON = '%%\n## Drawing\n```json\n{\n\t"type": "excalidraw",\n\t"elements": [{"text": "noise [[Nowhere]] #noise"}]\n}\n```\n%%\n'
BARE = '# Drawing\n{"type":"excalidraw","elements":[{"text":"noise [[Nowhere]] #noise"}]}\n%%'


@pytest.mark.parametrize("drawing", [COMPRESSED, JSON, JSON.replace("\n", "\r\n"), BARE])
@pytest.mark.parametrize(
    ("name", "head"), [("Plan.excalidraw.md", ""), ("Plan.md", HEAD), ("Plan.EXCALIDRAW.md", HEAD)]
)
def test_texts_of_a_drawing_are_read_and_its_data_are_not(name: str, head: str, drawing: str) -> None:
    text = head + TEXTS + drawing
    note = parse_note(VaultPath(name), text)
    assert [link.linkpath for link in note.links] == ["Target", "picture.png"]
    assert [tag.name for tag in note.tags] == (["sketch"] if head else [])
    assert [block.name for block in note.block_ids] == ["abc12345"]
    assert "A box" in note.body
    for noise in ("noise", "N4KAk", "tail", '"type"'):
        assert noise not in note.body
    assert len(note.body) == len(text) - (len(head) - len("==Switch to EXCALIDRAW VIEW==\n\n") if head else 0)


def test_other_fences_of_a_drawing_are_kept() -> None:
    note = parse_note(VaultPath("Plan.excalidraw.md"), '```json\n{"a": "kept"}\n```\n' + TEXTS + JSON)
    assert "kept" in note.body


def test_a_note_about_drawings_is_no_drawing() -> None:
    note = parse_note(VaultPath("Help.md"), "---\nabout: excalidraw-plugin\n---\n" + JSON)
    assert "noise" in note.body
