import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.parse.text import NotText, decode


@pytest.mark.parametrize(
    ("data", "text", "bom", "newline"),
    [
        (b"a\nb\n", "a\nb\n", False, "\n"),
        (b"a\r\nb\r\n", "a\r\nb\r\n", False, "\r\n"),
        (b"a\r\nb\r\nc\n", "a\r\nb\r\nc\n", False, "\r\n"),
        (b"a\r\nb\n", "a\r\nb\n", False, "\n"),
        (b"a\rb", "a\rb", False, "\n"),
        (codecs.BOM_UTF8 + b"a", "a", True, "\n"),
        (b"", "", False, "\n"),
    ],
)
def test_y1_y7_decoding_remembers_how_the_bytes_were_written(data: bytes, text: str, bom: bool, newline: str) -> None:
    source = decode(data)
    assert (source.text, source.bom, source.newline) == (text, bom, newline)


@pytest.mark.parametrize("data", [b"\xff", b"a\xc3", b"a\0b", "x".encode("utf-16")])
def test_what_is_not_text_is_refused(data: bytes) -> None:
    with pytest.raises(NotText):
        decode(data)


def test_c11_new_text_gets_the_files_line_breaks() -> None:
    assert decode(b"a\r\nb\r\n").in_style("x\ny\r\nz") == "x\r\ny\r\nz"
    assert decode(b"a\nb\n").in_style("x\ny\r\nz") == "x\ny\nz"


@given(st.text(), st.booleans())
def test_law_encode_of_decode_gives_the_bytes(text: str, bom: bool) -> None:
    data = (codecs.BOM_UTF8 if bom else b"") + text.replace("\0", "").encode()
    assert decode(data).encode(decode(data).text) == data
