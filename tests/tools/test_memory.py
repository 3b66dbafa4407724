"""The Claude API's memory tool: every string of its documentation, and what is particular to a vault."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sidecar.config import AccessSettings, Settings, StateFolder
from tests.conftest import Served

HEAD = "Here're the files and directories up to 2 levels deep in {}, excluding hidden items and node_modules:\n"


def said(served: Served, command: str, **arguments: Any) -> str:
    reply = served.call("memory", command=command, **arguments)
    assert not reply.is_error, reply.blocks
    assert reply.structured is None
    (text,) = reply.blocks
    return text


def failed(served: Served, command: str, **arguments: Any) -> str:
    before = served.hash()
    reply = served.call("memory", command=command, **arguments)
    assert reply.is_error, reply.blocks
    assert served.hash() == before
    (text,) = reply.blocks
    return text


@pytest.fixture
def kept(served: Served) -> Served:
    served.write(".obsidian/app.json", '{"trashOption":"local"}')
    served.write("Memory/a.md", "one\ntwo\nthree\ntwo\n")
    served.write("Memory/trade/deep/er.md", "x" * 1536)
    served.write("Memory/trade/b.txt", "y" * 4096)
    served.write("Memory/node_modules/n.md", "n")
    served.open()
    return served


def test_view_of_an_empty_store_is_no_error(served: Served) -> None:
    assert said(served, "view", path="/memories") == HEAD.format("/memories") + "0B\t/memories"
    assert said(served, "view", path="/memories/") == HEAD.format("/memories") + "0B\t/memories"


def test_view_of_a_directory(kept: Served) -> None:
    (kept.root / "Memory/empty").mkdir()
    assert said(kept, "view", path="/memories") == HEAD.format("/memories") + (
        "5.5K\t/memories\n18B\t/memories/a.md\n0B\t/memories/empty/\n5.5K\t/memories/trade/\n4K\t/memories/trade/b.txt\n"
        "1.5K\t/memories/trade/deep/"
    )
    assert said(kept, "view", path="/memories/trade/deep") == HEAD.format("/memories/trade/deep") + (
        "1.5K\t/memories/trade/deep\n1.5K\t/memories/trade/deep/er.md"
    )


def test_view_of_a_file(kept: Served) -> None:
    head = "Here's the content of /memories/a.md with line numbers:\n"
    assert said(kept, "view", path="/memories/a.md") == head + "     1\tone\n     2\ttwo\n     3\tthree\n     4\ttwo"
    assert said(kept, "view", path="/memories/a.md", view_range=[2, 3]) == head + "     2\ttwo\n     3\tthree"
    assert said(kept, "view", path="/memories/a.md", view_range=[4, -1]) == head + "     4\ttwo"
    for wrong in ([0, 1], [3, 2], [5, 6], [1], [1, 9]):
        assert failed(kept, "view", path="/memories/a.md", view_range=wrong).startswith("Error: Invalid `view_range`")


def test_view_of_a_long_file(kept: Served) -> None:
    kept.write("Memory/long.md", "".join(f"line {n}\n" for n in range(1, 5001)))
    shown = said(kept, "view", path="/memories/long.md")
    last = int(shown.rsplit("view_range [", 1)[1].partition(",")[0]) - 1
    assert len(shown) < 40_000
    assert said(kept, "view", path="/memories/long.md", view_range=[last + 1, -1]).endswith("  5000\tline 5000")
    kept.write("Memory/longest.txt", "\n" * 999_999)
    assert said(kept, "view", path="/memories/longest.txt", view_range=[999_999, -1]).endswith("\n999999\t")
    kept.write("Memory/longest.txt", "\n" * 1_000_000)
    assert failed(kept, "view", path="/memories/longest.txt") == (
        "File /memories/longest.txt exceeds maximum line limit of 999,999 lines."
    )


def test_view_of_a_picture(kept: Served) -> None:
    from PIL import Image

    Image.new("RGB", (3, 3)).save(kept.root / "Memory/p.png")
    reply = kept.call("memory", command="view", path="/memories/p.png")
    assert not reply.is_error
    assert reply.pictures[0].content_type == "image/png"
    kept.write("Memory/z.bin", b"\x00\xff")
    assert failed(kept, "view", path="/memories/z.bin").endswith("is no text and no image.")


def test_create(kept: Served) -> None:
    assert said(kept, "create", path="/memories/new/x.txt", file_text="a\r\nb") == (
        "File created successfully at: /memories/new/x.txt"
    )
    assert kept.read("Memory/new/x.txt") == "a\r\nb"
    assert failed(kept, "create", path="/memories/a.md", file_text="") == "Error: File /memories/a.md already exists"
    assert failed(kept, "create", path="/memories/A.md", file_text="") == "Error: File /memories/A.md already exists"
    assert failed(kept, "create", path="/memories/trade", file_text="") == "Error: File /memories/trade already exists"
    assert failed(kept, "create", path="/memories", file_text="") == "Error: File /memories already exists"
    assert failed(kept, "create", path="/memories/y.md") == "Error: create needs file_text"


def test_str_replace(kept: Served) -> None:
    assert said(kept, "str_replace", path="/memories/a.md", old_str="three\n", new_str="3\n3.5\n") == (
        "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
        "     1\tone\n     2\ttwo\n     3\t3\n     4\t3.5\n     5\ttwo"
    )
    said(kept, "str_replace", path="/memories/a.md", old_str="3.5\n")
    assert kept.read("Memory/a.md") == "one\ntwo\n3\ntwo\n"
    assert failed(kept, "str_replace", path="/memories/a.md", old_str="two", new_str="x") == (
        "No replacement was performed. Multiple occurrences of old_str `two` in lines: 2, 4. Please ensure it is unique"
    )
    for nowhere in ("nowhere", ""):
        assert failed(kept, "str_replace", path="/memories/a.md", old_str=nowhere, new_str="x") == (
            f"No replacement was performed, old_str `{nowhere}` did not appear verbatim in /memories/a.md."
        )
    for path in ("/memories/none.md", "/memories/trade"):
        assert failed(kept, "str_replace", path=path, old_str="a", new_str="b") == (
            f"Error: The path {path} does not exist. Please provide a valid path."
        )


def test_edits_keep_line_breaks_and_properties(kept: Served) -> None:
    kept.write("Memory/w.md", "---\r\nkeep: 'me'\r\n---\r\na\r\nb\r\n")
    said(kept, "str_replace", path="/memories/w.md", old_str="a\nb", new_str="c\nd")
    said(kept, "insert", path="/memories/w.md", insert_line=3, insert_text="in\n")
    assert kept.read("Memory/w.md") == "---\r\nkeep: 'me'\r\n---\r\nin\r\nc\r\nd\r\n"


@pytest.mark.parametrize(
    ("line", "text", "after"),
    [
        (0, "x\n", "x\none\ntwo\nthree\ntwo\n"),
        (2, "x", "one\ntwo\nx\nthree\ntwo\n"),
        (4, "x\n", "one\ntwo\nthree\ntwo\nx\n"),
    ],
)
def test_insert(kept: Served, line: int, text: str, after: str) -> None:
    assert said(kept, "insert", path="/memories/a.md", insert_line=line, insert_text=text) == (
        "The file /memories/a.md has been edited."
    )
    assert kept.read("Memory/a.md") == after


def test_insert_without_a_last_line_break(kept: Served) -> None:
    kept.write("Memory/n.md", "a")
    said(kept, "insert", path="/memories/n.md", insert_line=1, insert_text="b\n")
    assert kept.read("Memory/n.md") == "a\nb"


def test_insert_errors(kept: Served) -> None:
    for line in (-1, 5):
        assert failed(kept, "insert", path="/memories/a.md", insert_line=line, insert_text="x") == (
            f"Error: Invalid `insert_line` parameter: {line}. It should be within the range of lines of the file: [0, 4]"
        )
    for path in ("/memories/none", "/memories/trade"):
        assert (
            failed(kept, "insert", path=path, insert_line=0, insert_text="x")
            == f"Error: The path {path} does not exist"
        )


def test_delete(kept: Served) -> None:
    kept.write("Memory/MEMORY.md", "- [A](a.md)\n- [B](b.md)\n")
    assert said(kept, "delete", path="/memories/a.md") == "Successfully deleted /memories/a.md"
    assert kept.read(".trash/a.md") == "one\ntwo\nthree\ntwo\n"
    assert kept.read("Memory/MEMORY.md") == "- [B](b.md)\n"
    kept.ok("undo")
    assert kept.read("Memory/a.md").startswith("one")
    assert said(kept, "delete", path="/memories/trade") == "Successfully deleted /memories/trade"
    assert not (kept.root / "Memory/trade").exists()
    kept.ok("undo")
    assert kept.read("Memory/trade/b.txt") == "y" * 4096
    assert failed(kept, "delete", path="/memories/none") == "Error: The path /memories/none does not exist"
    assert failed(kept, "delete", path="/memories/") == "Cannot delete the /memories directory itself"
    assert failed(kept, "delete", path="/memories/a") == "Error: The path /memories/a does not exist"


def test_rename(kept: Served) -> None:
    kept.write("Daily.md", "[[Memory/a|shown]] and [t](Memory/trade/deep/er.md)\n")
    kept.reindex()
    assert said(kept, "rename", old_path="/memories/a.md", new_path="/memories/sub/c.md") == (
        "Successfully renamed /memories/a.md to /memories/sub/c.md"
    )
    said(kept, "rename", old_path="/memories/trade", new_path="/memories/play")
    assert kept.read("Daily.md") == "[[c|shown]] and [t](Memory/play/deep/er.md)\n"
    assert kept.read("Memory/play/b.txt") == "y" * 4096
    kept.ok("undo")
    assert kept.read("Memory/trade/b.txt") == "y" * 4096
    said(kept, "rename", old_path="/memories/trade/b.txt", new_path="/memories/plain")
    assert kept.read("Memory/plain") == "y" * 4096


def test_rename_errors(kept: Served) -> None:
    assert failed(kept, "rename", old_path="/memories/none", new_path="/memories/x") == (
        "Error: The path /memories/none does not exist"
    )
    for new in ("/memories/trade/b.txt", "/memories/a.md", "/memories/trade", "/memories"):
        assert (
            failed(kept, "rename", old_path="/memories/a.md", new_path=new)
            == f"Error: The destination {new} already exists"
        )
    assert failed(kept, "rename", old_path="/memories/trade", new_path="/memories/a.md") == (
        "Error: The destination /memories/a.md already exists"
    )
    assert (
        failed(kept, "rename", old_path="/memories", new_path="/memories/x")
        == "Cannot rename the /memories directory itself"
    )
    assert "itself" in failed(kept, "rename", old_path="/memories/trade", new_path="/memories/trade/in")


@pytest.mark.parametrize("path", ["/memoriesX", "/memoriesX/a.md", "/etc/passwd", "memories/a.md", "", "/"])
def test_paths_elsewhere_are_refused(kept: Served, path: str) -> None:
    assert failed(kept, "view", path=path) == f"Path must start with /memories, got: {path}"
    assert failed(kept, "create", path=path, file_text="x").startswith("Path must start with /memories")


@pytest.mark.parametrize(
    "path",
    [
        "/memories/../Open.md",
        "/memories/%2e%2e/Open.md",
        "/memories/%252e%252e/Open.md",
        "/memories/..\\Open.md",
        "/memories/a/../../x",
    ],
)
def test_paths_that_lead_out_are_refused(kept: Served, path: str) -> None:
    kept.write("Open.md", "secret")
    for command, more in (
        ("view", {}),
        ("create", {"file_text": "x"}),
        ("delete", {}),
        ("insert", {"insert_line": 0, "insert_text": "x"}),
    ):
        assert failed(kept, command, path=path, **more) == f"Path {path} would escape /memories directory"


def test_hidden_files_and_links_are_not_there(kept: Served, tmp_path: Path) -> None:
    kept.write("Memory/.hidden.md", "x")
    assert failed(kept, "view", path="/memories/.hidden.md").startswith("The path /memories/.hidden.md does not exist.")
    if os.name != "nt":
        (tmp_path / "out").mkdir()
        (tmp_path / "out/s.md").write_text("secret")
        (kept.root / "Memory/link.md").symlink_to(tmp_path / "out/s.md")
        (kept.root / "Memory/linked").symlink_to(tmp_path / "out")
        for path in ("/memories/link.md", "/memories/linked/s.md"):
            assert "secret" not in failed(kept, "view", path=path)
            failed(kept, "str_replace", path=path, old_str="secret", new_str="x")
            failed(kept, "delete", path=path)
        failed(kept, "create", path="/memories/linked/new.md", file_text="x")
        assert [p.name for p in (tmp_path / "out").iterdir()] == ["s.md"]


@pytest.mark.parametrize("name", ["CON.md", "a:b.md", "x" * 300, "a#b.md", "end. /x"])
def test_names_that_no_vault_can_hold_are_refused(kept: Served, name: str) -> None:
    assert failed(kept, "create", path=f"/memories/{name}", file_text="x")


def test_it_needs_what_its_command_needs(kept: Served) -> None:
    assert failed(kept, "view") == "Error: view needs path"
    assert failed(kept, "rename", old_path="/memories/a.md") == "Error: rename needs new_path"
    assert failed(kept, "explode", path="/memories").startswith("memory: 'command'")


@pytest.fixture
def ruled(tmp_path: Path) -> Iterator[Served]:
    (tmp_path / "Vault").mkdir()
    settings = Settings(access=AccessSettings(deny=("Memory/secret/",), read_only=("Memory/fixed.md",)))
    served = Served(tmp_path / "Vault", StateFolder(tmp_path / "state"), settings)
    served.write("Memory/secret/s.md", "hush")
    served.write("Memory/private.md", "---\nprivate: true\n---\nhush")
    served.write("Memory/fixed.md", "fixed")
    served.open()
    yield served
    served.close()


def test_c27_the_users_rules_hold(ruled: Served) -> None:
    listed = said(ruled, "view", path="/memories")
    assert listed == HEAD.format("/memories") + "5B\t/memories\n5B\t/memories/fixed.md"
    for path in ("/memories/secret/s.md", "/memories/private.md", "/memories/secret"):
        assert failed(ruled, "view", path=path) == f"The path {path} does not exist. Please provide a valid path."
        assert failed(ruled, "delete", path=path) == f"Error: The path {path} does not exist"
        assert (
            failed(ruled, "rename", old_path=path, new_path="/memories/x") == f"Error: The path {path} does not exist"
        )
    assert "access rules" in failed(ruled, "str_replace", path="/memories/fixed.md", old_str="fixed", new_str="x")
    assert "access rules" in failed(ruled, "create", path="/memories/secret/n.md", file_text="x")


def test_everything_is_journaled_and_undone_in_turn(kept: Served) -> None:
    before = {p: p.read_bytes() for p in kept.root.rglob("*.md")}
    said(kept, "create", path="/memories/c.md", file_text="c")
    said(kept, "str_replace", path="/memories/c.md", old_str="c", new_str="d")
    said(kept, "rename", old_path="/memories/c.md", new_path="/memories/e.md")
    said(kept, "delete", path="/memories/e.md")
    changes = kept.ok("history")["changes"]
    assert {change["tool"] for change in changes} == {"memory"}
    assert len(changes) == 4
    for change in changes:
        kept.ok("undo", change=change["id"])
    assert {p: p.read_bytes() for p in kept.root.rglob("*.md") if ".trash" not in p.parts} == before


def test_many_writers_create_one_file_once(kept: Served) -> None:
    results: list[bool] = []

    def create(number: int) -> None:
        results.append(kept.call("memory", command="create", path="/memories/one.md", file_text=str(number)).is_error)

    threads = [threading.Thread(target=create, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == [False] + [True] * 7


def test_links_of_this_name_are_not_taken_away(kept: Served) -> None:
    kept.write("Other/topic.md", "x")
    kept.write("Memory/has.md", "[[topic]]")
    kept.reindex()
    said(kept, "create", path="/memories/topic.md", file_text="new")
    assert kept.read("Memory/has.md") == "[[Other/topic]]"


def test_other_tools_see_what_was_written(kept: Served) -> None:
    said(kept, "create", path="/memories/fresh-fact.md", file_text="zebra")
    assert [r["name"] for r in kept.ok("recall_search", query="zebra")["results"]] == ["fresh-fact"]
    assert kept.found("zebra") == ["Memory/fresh-fact.md"]
