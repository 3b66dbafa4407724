from pathlib import Path

from sidecar.index.pool import Pool
from sidecar.index.segment_file import SegmentReader, file_of
from sidecar.index.texts import IndexedTexts
from sidecar.index.whoosh_index import WhooshIndex
from sidecar.model.note import ParsedFile
from sidecar.model.path import VaultPath
from sidecar.parse.file import parse_file, parse_name
from tests.index.builders import filled


def parsed(path: str, text: str) -> ParsedFile:
    return parse_file(VaultPath(path), text.encode())


def texts_of(index: WhooshIndex, *names: str, but: tuple[str, ...] = ()) -> list[str | None]:
    texts = index.texts([VaultPath(name) for name in but])
    found = [texts.of(VaultPath(name)) for name in names]
    texts.close()
    return [None if text is None else text.decode() for text in found]


A = "---\nup: 'x'\n---\nÄ line\n"


def test_notes_say_what_they_said_at_the_last_commit(tmp_path: Path) -> None:
    index = filled(
        tmp_path / "index",
        [parsed("a.md", A), parsed("b.md", ""), parsed("c.canvas", "{}"), parse_name(VaultPath("d.md"))],
    )
    assert texts_of(index, "a.md", "b.md", "c.canvas", "d.md", "none.md") == [A, "", None, None, None]
    assert texts_of(index, "a.md", "b.md", but=("a.md",)) == [None, ""]
    index.put(parsed("a.md", "new"))
    assert texts_of(index, "a.md") == [A]
    before = index.texts()
    index.commit()
    index.remove(VaultPath("b.md"))
    index.commit()
    assert texts_of(index, "a.md", "b.md") == ["new", None]
    assert (before.of(VaultPath("b.md")), before.of(VaultPath("a.md"))) == (b"", A.encode())
    before.close()
    assert before.of(VaultPath("a.md")) == A.encode()
    before.close()
    index.close()
    again = WhooshIndex(tmp_path / "index")
    assert texts_of(again, "a.md", "b.md") == ["new", None]
    again.close()


def test_a_merge_keeps_texts(tmp_path: Path) -> None:
    index = WhooshIndex(tmp_path / "index")
    names = [f"{n}.md" for n in range(12)]
    for name in names:
        index.put(parsed(name, f"text of {name}"))
        index.commit()
    index.put(parse_name(VaultPath("name alone.md")))
    index.remove(VaultPath("3.md"))
    index.commit()
    before = index.texts()
    while index.merge_small():
        pass
    kept = [name for name in names if name != "3.md"]
    assert texts_of(index, *kept, "3.md", "name alone.md") == [*(f"text of {name}" for name in kept), None, None]
    # The segments it knew are gone: then the files are to be read.
    assert [before.of(VaultPath(name)) for name in names] == [None] * 12
    index.close()


def test_a_damaged_segment_has_no_texts(tmp_path: Path) -> None:
    index = filled(tmp_path / "index", [parsed("a.md", "text")])
    (part,) = index._published.parts
    file = file_of(index.folder, part.id)
    whole = file.read_bytes()
    for harmed in (b"", whole[:-9], b"\0" * len(whole)):
        file.write_bytes(harmed)
        texts = IndexedTexts(index.folder, [part], ())
        assert texts.of(VaultPath("a.md")) is None
        texts.close()
    index.close()


def test_data_for_programs_is_blanked_out(tmp_path: Path) -> None:
    pool = Pool()
    lock = "\N{CLOSED LOCK WITH KEY}"
    text = f"open\n{lock} aGVsbG8gd29ybGQhIQ== {lock}\n"
    pool.add(parsed("a.md", text))
    pool.write(tmp_path, "MAIN_x")
    reader = SegmentReader(tmp_path, "MAIN_x")
    edges, has_text = reader.text_edges(1)
    said = reader.text(edges[0], edges[1]).decode()
    reader.close()
    assert (len(said), said[:5], "aGVs" in said, has_text) == (len(text), "open\n", False, b"\1")
