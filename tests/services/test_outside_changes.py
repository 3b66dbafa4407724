"""What other programs do to a vault, and which of its files a search is about."""

import os

import pytest

from sidecar.model.note import ParsedFile
from tests.conftest import Served


@pytest.fixture
def vault(served: Served) -> Served:
    served.write("Old name.md", "# Old\n\nalpha ^x\n")
    served.write("From.md", "---\nup: '[[Old name]]'\n---\n[[Old name|shown]] and [md](Old%20name.md)\n")
    served.write(
        "Board.canvas",
        '{"nodes":[{"id":"a","type":"file","file":"Old name.md","x":0,"y":0,"width":9,"height":9},\n'
        '{"id":"b","type":"text","text":"cardword [[Old name]]","x":20,"y":0,"width":9,"height":9}]}',
    )
    return served


def unresolved(served: Served) -> list[str]:
    return sorted(str(at.source) for at in served.open().catalog.reader().unresolved())


def test_m6_a_rename_by_another_program_rewrites_no_link_and_breaks_all(vault: Served) -> None:
    assert unresolved(vault) == []
    vault.root.joinpath("Old name.md").rename(vault.root / "New name.md")
    before = vault.hash()
    vault.reindex()
    assert vault.hash() == before, "Obsidian sees a deletion and a creation, and so do we"
    assert unresolved(vault) == ["Board.canvas", "Board.canvas", "From.md", "From.md", "From.md"]
    assert vault.found("alpha") == ["New name.md"]
    vault.root.joinpath("New name.md").rename(vault.root / "Old name.md")
    vault.reindex()
    assert unresolved(vault) == [], "a link finds its file again"


def test_h3_another_time_is_reason_to_look_and_other_bytes_are_a_change(
    vault: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened, put = vault.open(), list[ParsedFile]()
    real_put = opened.index.put

    def noted(file: ParsedFile) -> None:
        put.append(file)
        real_put(file)

    monkeypatch.setattr(opened.index, "put", noted)
    file = vault.root / "Old name.md"
    stat = file.stat()
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns + 10**9))
    assert opened.index_now() == 1
    assert put == [], "the bytes are the same"
    file.write_bytes(file.read_bytes().replace(b"alpha", b"gamma"))
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns + 2 * 10**9))
    assert opened.index_now() == 1
    assert [str(file.path) for file in put] == ["Old name.md"]
    assert (vault.found("gamma"), vault.found("alpha")) == (["Old name.md"], [])


def test_s12_notes_and_canvases_are_searched_attachments_by_path_and_excluded_files_never(vault: Served) -> None:
    vault.write("alpha.png", b"\x89PNG zqpixel")
    vault.write("Archive/Kept.md", "alpha too")
    vault.write(".obsidian/app.json", '{"userIgnoreFilters":["Archive/"]}')
    assert vault.found("zqpixel") == []
    assert vault.found("cardword") == ["Board.canvas"]
    assert sorted(vault.found("alpha")) == ["Old name.md", "alpha.png"]
    assert vault.found("file:alpha.png") == ["alpha.png"]
    assert vault.found("Kept") == []
    assert vault.found("Kept", include_excluded=True) == ["Archive/Kept.md"]
