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
    assert [f["file_path"] for f in listing["files"]] == ["a.md"]


def test_depth_and_glob(tree: Served) -> None:
    listing = tree.ok("list_directory", depth=10, file_name_glob="*.MD")
    assert [f["file_path"] for f in listing["files"]] == ["B/deep/three.md", "B/one.md", "a.md"]
    assert [f["path"] for f in listing["folders"]] == ["B", "B/deep", "Empty", "img"]


def test_a_folder_in_any_case_with_slashes(tree: Served) -> None:
    listing = tree.ok("list_directory", folder="/b/")
    assert listing["path"] == "/B"
    assert [f["file_path"] for f in listing["files"]] == ["B/one.md", "B/two.canvas"]


def test_paging(tree: Served) -> None:
    listing = tree.ok("list_directory", depth=5, page_size=2, page=2)
    assert (len(listing["files"]), listing["total"], listing["has_more"]) == (2, 5, True)


def test_a_missing_folder_names_those_there_are(tree: Served) -> None:
    assert tree.fails("list_directory", "not_found", dir_name="Nope")["candidates"] == ["B", "img"]


@pytest.mark.parametrize("depth", [0, 11])
def test_depth_has_bounds(tree: Served, depth: int) -> None:
    tree.fails("list_directory", "invalid", depth=depth)


def test_text(tree: Served) -> None:
    (text,) = tree.call("list_directory", dir_name="B").blocks
    assert text.startswith("/B: 1 folders, 2 files (depth 1)\n- B/deep/ (1 files)\n- B/one.md (note, 1 bytes, ")
