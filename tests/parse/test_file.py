import codecs

from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.model.note import FileKind, ParsedFile
from sidecar.model.path import VaultPath
from sidecar.parse.file import parse_file


def test_a_note_is_read_without_its_bom() -> None:
    note = parse_file(VaultPath("a.md"), codecs.BOM_UTF8 + b"---\na: 1\n---\n[[b]]")
    assert (note.kind, dict(note.properties), note.body) == (FileKind.NOTE, {"a": 1}, "[[b]]")


def test_bytes_that_are_no_text_are_replaced_not_refused() -> None:
    note = parse_file(VaultPath("a.md"), b"caf\xe9 [[b]]\0 #t")
    assert note.body == "caf\ufffd [[b]]\0 #t"
    assert note.problem is None
    assert [link.linkpath for link in note.links] == ["b"]


def test_a_canvas_is_read() -> None:
    data = b'{"nodes":[{"id":"1","type":"text","text":"see [[b]]","x":0,"y":0,"width":1,"height":1}],"edges":[]}'
    canvas = parse_file(VaultPath("a.canvas"), data)
    assert canvas.kind is FileKind.CANVAS
    assert [link.linkpath for link in canvas.links] == ["b"]


def test_a_base_is_text_without_links() -> None:
    base = parse_file(VaultPath("Books.base"), b"filters: '[[a]] #b'\n")
    assert base == ParsedFile(VaultPath("Books.base"), FileKind.BASE, "Books", "filters: '[[a]] #b'\n")


def test_a5_an_attachment_gives_only_its_name() -> None:
    path = VaultPath("img/a.b.png")
    assert parse_file(path, b"[[x]]") == ParsedFile(path, FileKind.ATTACHMENT, "a.b", "")


@settings(deadline=None)
@given(st.binary(max_size=80), st.sampled_from(["a.md", "a.canvas", "a.base", "a.png"]))
def test_reading_any_bytes_never_raises(data: bytes, name: str) -> None:
    assert parse_file(VaultPath(name), data).path == name
