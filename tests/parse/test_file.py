import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.model.note import FileKind, ParsedFile
from sidecar.model.path import VaultPath
from sidecar.parse import file as file_module
from sidecar.parse.file import parse_file, parse_name


def test_a_note_is_read_without_its_bom() -> None:
    note = parse_file(VaultPath("a.md"), codecs.BOM_UTF8 + b"---\na: 1\n---\n[[b]]")
    assert (note.kind, dict(note.properties), note.body) == (FileKind.NOTE, {"a": 1}, "[[b]]")


def test_bytes_that_are_no_text_are_replaced_not_refused() -> None:
    note = parse_file(VaultPath("a.md"), b"caf\xe9 [[b]]\0 #t")
    assert note.body == "caf\ufffd [[b]]\0 #t"
    assert note.problem is None
    assert note.incomplete == "It is not valid UTF-8 (byte 3)."
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


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.md", "note"), ("A.MD", "note"), ("a.canvas", "canvas"), ("a.base", "base"), ("a.png", "attachment"),
     ("a.mdenc", "attachment"), ("a.excalidraw", "attachment"), ("Makefile", "attachment"), ("a.md.bak", "attachment")],
)  # fmt: skip
def test_a4_every_file_is_of_some_kind(name: str, kind: str) -> None:
    assert parse_name(VaultPath(name)) == ParsedFile(VaultPath(name), FileKind(kind), VaultPath(name).basename, "")


ODD: list[tuple[str, bytes, str | None, str]] = [
    ("a.md", b"", None, ""),
    ("a.canvas", b"", None, ""),
    ("a.md", b"one\0two", "It holds NUL bytes.", "one\0two"),
    ("a.base", b"a: \xff", "It is not valid UTF-8 (byte 3).", "a: \ufffd"),
    (
        "a.md",
        "eins zwei".encode("utf-16"),
        "It is UTF-16 text, which Obsidian does not read; save it as UTF-8.",
        "eins zwei",
    ),
    ("a.canvas", b"{", "The canvas cannot be read: a name in double quotes is expected (line 1).", ""),
]


@pytest.mark.parametrize(("name", "data", "incomplete", "body"), ODD)
def test_odd_files_are_read_as_far_as_possible(name: str, data: bytes, incomplete: str | None, body: str) -> None:
    parsed = parse_file(VaultPath(name), data)
    assert (parsed.body, parsed.incomplete) == (body, incomplete)


def test_utf16_keeps_a_note_private() -> None:
    assert parse_file(VaultPath("a.md"), "---\nprivate: true\n---\n".encode("utf-16")).properties == {"private": True}


def test_of_a_huge_note_the_first_part_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_module, "LARGEST", 2_000_000)
    data = (
        b"---\ntags: [t]\n---\nfirst [[link]]\n"
        + "wörd ".encode() * 10
        + b"\n"
        + b"x y z\n" * 400_000
        + b"last [[no]]\n"
    )
    note = parse_file(VaultPath("a.md"), data)
    assert note.incomplete == "It is 2 MB large; only its first part is indexed."
    assert [tag.name for tag in note.tags] == ["t"]
    assert [link.linkpath for link in note.links] == ["link"]
    assert note.body.startswith("first")
    assert note.body.endswith("x y z\n")
    one_line = parse_file(VaultPath("a.md"), "é".encode() * 1_500_000)
    assert one_line.body.strip("é\ufffd") == ""
    canvas = parse_file(VaultPath("a.canvas"), b" " * 2_000_001)
    assert (canvas.body, canvas.incomplete) == ("", "It is 2 MB large; only its name is indexed.")


@settings(deadline=None)
@given(st.binary(max_size=80), st.sampled_from(["a.md", "a.canvas", "a.base", "a.png"]))
def test_reading_any_bytes_never_raises(data: bytes, name: str) -> None:
    assert parse_file(VaultPath(name), data).path == name
