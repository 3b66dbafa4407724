import base64

import pytest

from tests.conftest import Served

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def test_text_is_a_block_of_its_own(served: Served) -> None:
    served.write("conf.json", '{"a": 1}')
    ours, text = served.call("read_content", path="conf.json").blocks
    assert text == '{"a": 1}'
    assert "type: application/json" in ours
    assert served.ok("read_content", path="conf.json")["type"] == "text"


def test_a_note_by_any_name(served: Served) -> None:
    served.write("A/Note.md", "x")
    read = served.ok("read_content", path="memory://a/note")
    assert (read["text"], read["content_type"], read["file_path"]) == ("x", "text/markdown", "A/Note.md")


def test_a_picture_is_an_image(served: Served) -> None:
    served.write("p.png", PNG)
    reply = served.call("read_content", path="p.png", output_format="json")
    assert [(p.data, p.content_type) for p in reply.pictures] == [(PNG, "image/png")]
    assert reply.structured is not None
    assert reply.structured["type"] == "image"
    assert "iVBOR" not in reply.blocks[0]


def test_other_files_are_base64_up_to_a_limit(served: Served) -> None:
    served.write("a.pdf", b"%PDF\xff\x00")
    assert base64.b64decode(served.ok("read_content", path="a.pdf")["source"]["data"]) == b"%PDF\xff\x00"
    served.write("big.pdf", b"\xff" * 400_000)
    served.fails("read_content", "refused", path="big.pdf")


@pytest.mark.parametrize("path", ["../etc/passwd", ".obsidian/app.json"])
def test_reading_is_confined(served: Served, path: str) -> None:
    served.fails("read_content", "refused", path=path)


def test_an_unknown_file(served: Served) -> None:
    served.fails("read_content", "not_found", path="nope.txt")
