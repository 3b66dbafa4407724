from pathlib import Path

import pytest

from sidecar.errors import Unavailable
from sidecar.model.path import VaultPath
from sidecar.vault.walk import Walk, shown_name


def make(root: Path, *paths: str) -> None:
    for path in paths:
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.encode())


def walked(root: Path) -> tuple[list[str], Walk]:
    walk = Walk(root)
    return sorted(path + "/" * is_folder for path, _, is_folder in walk), walk


def test_a3_dot_names_are_invisible_at_any_depth(tmp_path: Path) -> None:
    make(tmp_path, "a.md", ".hidden.md", ".obsidian/app.json", "sub/.x/y.md", "sub/b.canvas", ".trash/old.md")
    assert walked(tmp_path)[0] == ["a.md", "sub/", "sub/b.canvas"]


def test_f6_nfd_names_are_shown_nfc_and_their_spelling_kept(tmp_path: Path) -> None:
    make(tmp_path, "Cafe\u0301/n.md", "plain.md", "with\u00a0space.md")
    found, walk = walked(tmp_path)
    assert found == ["Caf\u00e9/", "Caf\u00e9/n.md", "plain.md", "with space.md"]
    assert walk.spellings == {
        "Caf\u00e9": "Cafe\u0301",
        "Caf\u00e9/n.md": "Cafe\u0301/n.md",
        "with space.md": "with\u00a0space.md",
    }


def test_of_two_encodings_of_one_name_the_composed_one_is_kept(tmp_path: Path) -> None:
    make(tmp_path, "e\u0301.md", "\u00e9.md")
    found, walk = walked(tmp_path)
    assert found == ["\u00e9.md"]
    assert walk.spellings == {}
    assert [problem.path for problem in walk.problems] == ["\u00e9.md"]


def test_names_that_no_vault_path_can_hold_are_problems(tmp_path: Path) -> None:
    make(tmp_path, "good.md", "back\\slash.md")
    (tmp_path / "caf\udce9.md").write_bytes(b"latin-1 name")
    found, walk = walked(tmp_path)
    assert found == ["good.md"]
    assert [problem.path for problem in walk.problems] == ["back\\slash.md", "caf?.md"]


def test_a6_links_to_files_are_not_listed(tmp_path: Path) -> None:
    make(tmp_path, "a.md")
    (tmp_path / "alias.md").symlink_to("a.md")
    (tmp_path / "broken.md").symlink_to("nowhere.md")
    assert walked(tmp_path)[0] == ["a.md"]


def test_a6_linked_folder_is_followed_when_its_target_is_disjoint(tmp_path: Path) -> None:
    vault, outside = tmp_path / "vault", tmp_path / "outside"
    make(vault, "a.md")
    make(outside, "deep/b.md")
    (vault / "link").symlink_to(outside)
    found, walk = walked(vault)
    assert found == ["a.md", "link/", "link/deep/", "link/deep/b.md"]
    assert walk.links == {"link": outside}


@pytest.mark.parametrize("target", ["vault", "vault/sub", ".", "outside/twin"])
def test_a6_linked_folder_is_ignored_when_its_files_would_come_twice(tmp_path: Path, target: str) -> None:
    vault, outside = tmp_path / "vault", tmp_path / "outside"
    make(vault, "sub/a.md")
    make(outside, "twin/b.md")
    (vault / "first").symlink_to(outside)
    (vault / "second").symlink_to(tmp_path / target)
    found, walk = walked(vault)
    assert found == ["first/", "first/twin/", "first/twin/b.md", "sub/", "sub/a.md"]
    assert [problem.path for problem in walk.problems] == ["second"]


def test_a6_loop_through_an_outside_folder_ends(tmp_path: Path) -> None:
    vault, outside = tmp_path / "vault", tmp_path / "outside"
    make(vault, "a.md")
    make(outside, "b.md")
    (outside / "back").symlink_to(vault)
    (outside / "self").symlink_to(outside)
    (vault / "link").symlink_to(outside)
    assert walked(vault)[0] == ["a.md", "link/", "link/b.md"]


def test_a_missing_vault_is_no_empty_vault(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="cannot be read"):
        list(Walk(tmp_path / "gone"))


def test_special_files_are_left_out(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "pipe.md")
    assert walked(tmp_path)[0] == []


def test_shown_name_of_plain_text_is_itself() -> None:
    assert shown_name("Note (v1.2).md") == VaultPath("Note (v1.2).md")


def test_h8_icloud_placeholders_come_under_the_name_of_their_file(tmp_path: Path) -> None:
    make(tmp_path, ".Away.md.icloud", "sub/.Cafe\u0301.md.icloud", "Here.md", ".Here.md.icloud", ".hidden.icloud.md")
    found, walk = walked(tmp_path)
    assert found == ["Away.md", "Here.md", "sub/", "sub/Caf\u00e9.md"]
    assert walk.spellings == {}, "the file may be back at any moment, under its own name"
    assert walk.problems == []


def test_a4_files_of_every_kind_are_listed(tmp_path: Path) -> None:
    names = ["a.md", "b.png", "c.PDF", "d.zip", "Makefile", "e.md.bak", "f.base", "g.canvas"]
    make(tmp_path, *names)
    assert walked(tmp_path)[0] == sorted(names)


def test_f7_f8_odd_and_long_names_are_listed(tmp_path: Path) -> None:
    names = ["v1.2.3.md", "\U0001f600 \u65e5\u672c.md", "C# [x] ^y 100%.md", "x" * 252 + ".md", "trailing .md"]
    make(tmp_path, *names)
    assert walked(tmp_path)[0] == sorted(names)
