import base64
import io

import pytest
from PIL import Image

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


@pytest.mark.parametrize("path", ["memory://a/note", "a/note", "A/Note.md", "vault/a/note", "memory://Vault/a/note"])
@pytest.mark.parametrize("alias", ["path", "file_path", "filepath", "file"])
def test_a_note_by_any_name(served: Served, path: str, alias: str) -> None:
    served.write("A/Note.md", "x")
    read = served.ok("read_content", **{alias: path})
    assert (read["text"], read["content_type"], read["file_path"]) == ("x", "text/markdown", "A/Note.md")
    assert read["encoding"] == "utf-8"


@pytest.mark.parametrize("name", ["script.py", "table.csv", "drawing.svg", "notes.log", "No extension", "LICENSE.zzz"])
def test_every_kind_of_text(served: Served, name: str) -> None:
    served.write(name, "<svg/> caf\u00e9\r\n")
    assert served.ok("read_content", path=name)["text"] == "<svg/> caf\u00e9\r\n"


def test_a_long_text_is_cut_at_a_line(served: Served) -> None:
    text = "".join(f'row {n}, "quoted"\n' for n in range(5000))
    served.write("long.csv", text)
    reply = served.call("read_content", path="long.csv")
    assert len(reply.blocks) == 3
    assert sum(map(len, reply.blocks)) <= 25_000
    read, line = "", 1
    while line:
        part = served.ok("read_content", path="long.csv", start_line=line)
        assert len(str(part)) < 25_000
        read, line = read + part["text"], part["next_line"]
    assert read == text
    assert served.ok("read_content", path="long.csv", max_tokens=100_000)["text"] == text


def test_a_picture_is_an_image(served: Served) -> None:
    served.write("p.png", PNG)
    reply = served.call("read_content", path="p.png", output_format="json")
    assert [(p.data, p.content_type) for p in reply.pictures] == [(PNG, "image/png")]
    assert reply.structured is not None
    assert reply.structured["type"] == "image"
    assert reply.structured["source"]["media_type"] == "image/png"
    assert "image block" in reply.structured["source"]["data"]
    assert "iVBOR" not in reply.blocks[0]


def test_a_large_picture_is_shrunk_with_its_transparency(served: Served) -> None:
    out = io.BytesIO()
    Image.new("RGBA", (4000, 1000), (0, 0, 0, 0)).save(out, "PNG")
    served.write("Attachments/big.png", out.getvalue())
    reply = served.call("read_content", path="big.png")
    assert "1568 x 392 pixels, shrunk from 4000 x 1000" in reply.blocks[0]
    (picture,) = reply.pictures
    shown = Image.open(io.BytesIO(picture.data))
    assert (shown.size, shown.mode, shown.getpixel((0, 0))) == ((1568, 392), "RGBA", (0, 0, 0, 0))
    said = served.ok("read_content", path="big.png")
    assert (said["width"], said["original"]["width"]) == (1568, 4000)


def test_other_files_are_base64_up_to_a_limit(served: Served) -> None:
    served.write("a.pdf", b"%PDF\xff\x00")
    read = served.ok("read_content", path="a.pdf")
    assert (read["type"], read["source"]["media_type"]) == ("document", "application/pdf")
    assert base64.b64decode(read["source"]["data"]) == b"%PDF\xff\x00"
    ours, data = served.call("read_content", path="a.pdf").blocks
    assert base64.b64decode(data) == b"%PDF\xff\x00"
    assert "base64" in ours
    for name in ("big.pdf", "big.csv", "broken.png"):
        served.write(name, b"\xff" * 400_000)
        assert "400 kB" in served.fails("read_content", "refused", path=name)["message"]


def test_what_is_too_large_is_not_even_read(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    served.write("big.zip", b"\xff" * 400_000)
    served.open()
    monkeypatch.setattr("sidecar.vault.files.VaultFiles.read", lambda *_: pytest.fail("it was read"))
    served.fails("read_content", "refused", path="big.zip")


@pytest.mark.parametrize("path", ["../etc/passwd", ".obsidian/app.json", "/etc/../../passwd"])
def test_reading_is_confined(served: Served, path: str) -> None:
    served.fails("read_content", "refused", path=path)


def test_an_unknown_file(served: Served) -> None:
    served.write("Notice.md", "x")
    assert served.fails("read_content", "not_found", path="Notise.md")["candidates"] == ["Notice.md"]


def test_lines_that_are_not_there(served: Served) -> None:
    served.write("a.txt", "x\n")
    assert served.fails("read_content", "invalid", path="a.txt", start_line=3)["lines"] == 1
