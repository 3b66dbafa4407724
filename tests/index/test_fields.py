import pytest

from sidecar.index.analysis import GAP
from sidecar.index.fields import field_texts
from sidecar.model.note import ParsedFile
from tests.index.builders import note


@pytest.mark.parametrize(
    ("file", "texts"),
    [
        (note("a/Note.md", "text"), {"title": "Note", "body": "text"}),
        (note("a/Note.md", title="Other"), {"title": f"Other{GAP}Note"}),
        (note("a/Map.canvas", "card"), {"title": f"Map{GAP}Map.canvas", "body": "card"}),
        (note("a/Photo.png"), {"title": f"Photo{GAP}Photo.png"}),
        (
            note("N.md", aliases=["x y", "z"], headings=["One", "Two"], tags=["a/b", "c", "a/b"]),
            {"title": "N", "alias": f"x y{GAP}z", "heading": f"One{GAP}Two", "tag": f"a/b{GAP}c"},
        ),
        (
            note(
                "N.md",
                properties={"Title": "no", "tags": ["no"], "aliases": "no", "up": "[[Home]]", "n": 3, "f": 1.5,
                            "yes": True, "nothing": None, "deep": {"list": ["one", {"two": 2}]}},
            ),
            {"title": "N", "property": GAP.join(["[[Home]]", "3", "1.5", "one", "2"])},
        ),
    ],
)  # fmt: skip
def test_texts_by_field(file: ParsedFile, texts: dict[str, str]) -> None:
    assert field_texts(file) == texts
