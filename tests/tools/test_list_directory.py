import os
from typing import Any

import pytest

from tests.conftest import Served


@pytest.fixture
def tree(served: Served) -> Served:
    for path in ("a.md", "B/one.md", "B/two.canvas", "B/deep/three.md", "img/p.png"):
        served.write(path, "{}" if path.endswith("canvas") else "x")
    (served.root / "Empty").mkdir()
    return served


def test_one_level(tree: Served) -> None:
    listing = tree.ok("list_directory")
    assert [(f["path"], f["files"]) for f in listing["folders"]] == [("B", 3), ("Empty", 0), ("img", 1)]
    assert [(f["file_path"], f["permalink"]) for f in listing["files"]] == [("a.md", "a")]
    assert "missing" not in listing


def test_depth_and_glob(tree: Served) -> None:
    for glob in ("*.MD", ".md"):
        listing = tree.ok("list_directory", depth=10, file_name_glob=glob)
        assert [f["file_path"] for f in listing["files"]] == ["B/deep/three.md", "B/one.md", "a.md"]
        assert [f["path"] for f in listing["folders"]] == ["B", "B/deep", "Empty", "img"]


@pytest.mark.parametrize("name", ["dir_name", "directory", "folder", "path", "dir"])
@pytest.mark.parametrize("folder", ["/b/", "B", "memory://b"])
def test_a_folder_in_any_case_with_slashes_by_any_name(tree: Served, name: str, folder: str) -> None:
    listing = tree.ok("list_directory", **{name: folder})
    assert listing["path"] == "/B"
    assert [f["file_path"] for f in listing["files"]] == ["B/one.md", "B/two.canvas"]


@pytest.mark.parametrize(
    "names",
    [
        ("page_size", "page", "file_name_glob"),
        ("limit", "page_number", "glob"),
        ("per_page", "page", "pattern"),
        ("limit", "page", "filter"),
    ],
)
def test_paging(tree: Served, names: tuple[str, str, str]) -> None:
    size, page, glob = names
    given: dict[str, Any] = {size: 2, page: 2, glob: "*"}
    listing = tree.ok("list_directory", depth=5, **given)
    assert (len(listing["files"]), listing["total"], listing["has_more"]) == (2, 5, True)
    assert "More: page=3" in tree.call("list_directory", depth=5, **given).blocks[0]


def test_a_missing_folder_is_empty_and_near_names_are_told(tree: Served) -> None:
    listing = tree.ok("list_directory", dir_name="Nope")
    assert (listing["missing"], listing["files"], listing["total"]) == (True, [], 0)
    assert listing["candidates"] == ["B", "img"]
    assert tree.ok("list_directory", dir_name="eb/dep")["candidates"] == ["B/deep"]
    text = tree.call("list_directory", dir_name="deap").blocks[0]
    assert text.startswith(
        "There is no folder '/deap', so nothing is in it.\nFolders there are: '/B/deep', '/B', '/img'."
    )


@pytest.mark.parametrize("depth", [0, 11, "many"])
def test_depth_has_bounds(tree: Served, depth: int) -> None:
    tree.fails("list_directory", "invalid", depth=depth)


def test_what_leads_out_is_refused(tree: Served) -> None:
    tree.fails("list_directory", "refused", dir_name="../x")
    tree.fails("list_directory", "refused", dir_name=".obsidian")


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (None, ["a.md", "b.md", "c.md"]),
        ("title_asc", ["b.md", "c.md", "a.md"]),
        ("title_desc", ["a.md", "c.md", "b.md"]),
        ("updated_asc", ["c.md", "a.md", "b.md"]),
        ("updated_desc", ["b.md", "a.md", "c.md"]),
        ("created_asc", ["b.md", "c.md", "a.md"]),
        ("created_desc", ["a.md", "c.md", "b.md"]),
    ],
)
def test_order(served: Served, order: str | None, expected: list[str]) -> None:
    texts = {
        "a.md": "---\ntitle: Zebra\n---\n",
        "b.md": "---\ntitle: apple\ncreated: 1999-12-31\n---\n",
        "c.md": "---\ntitle: Mango\ncreated: yesterday\n---\n",
    }
    for path, moment in (("a.md", 2000), ("b.md", 3000), ("c.md", 1000)):
        os.utime(served.write(path, texts[path]), (10**9 + moment, 10**9 + moment))
    assert [f["file_path"] for f in served.ok("list_directory", sort=order)["files"]] == expected


def test_text(tree: Served) -> None:
    (text,) = tree.call("list_directory", dir_name="B").blocks
    assert text.startswith("/B: 1 folder, 2 files (depth 1)\n- B/deep/ (1 file)\n- B/one.md (note, 1 byte, ")
    assert ", id b/one)" in text


def test_the_id_is_the_notes_own_permalink_and_an_attachment_has_none(served: Served) -> None:
    served.write("n.md", "---\npermalink: /My/Own/\n---\n")
    served.write("p.png", "x")
    listing = served.ok("list_directory")
    assert [f["permalink"] for f in listing["files"]] == ["my/own", None]
    assert served.ok("read_note", identifier="my/own")["file_path"] == "n.md"
