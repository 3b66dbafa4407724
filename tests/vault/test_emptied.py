from pathlib import Path

from sidecar.model.change import ChangeSet, Entry, Op
from sidecar.model.path import VaultPath as P
from sidecar.vault.emptied import take_away
from sidecar.vault.files import VaultFiles


def change(*moves: tuple[str, str], emptied: tuple[str, ...] = ()) -> ChangeSet:
    entries = tuple(Entry(Op.MOVE, P(old), "hash", None, P(new)) for old, new in moves)
    return ChangeSet("t", entries, "s", emptied=tuple(map(P, emptied)))


def tree(root: Path) -> list[str]:
    return sorted(str(p.relative_to(root)) for p in root.rglob("*"))


def test_only_empty_folders_go(tmp_path: Path) -> None:
    for folder in ("a/b", "c"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "c/.hidden").touch()
    take_away(VaultFiles(tmp_path), change(emptied=("a/b", "a", "c", "gone")))
    assert tree(tmp_path) == ["c", "c/.hidden"]


def test_f5_what_else_is_in_a_folder_goes_with_its_new_case(tmp_path: Path) -> None:
    for place in ("docs/In/.hidden", "docs/.h", "docs/own/x.md", "Docs/in/n.md"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).touch()
    moved = change(("docs/In/n.md", "Docs/in/n.md"), emptied=("docs/In", "docs"))
    take_away(VaultFiles(tmp_path), moved)
    assert tree(tmp_path) == [
        "Docs",
        "Docs/.h",
        "Docs/in",
        "Docs/in/.hidden",
        "Docs/in/n.md",
        "Docs/own",
        "Docs/own/x.md",
    ]


def test_f5_a_disk_that_takes_both_for_one_folder_gets_the_new_spelling(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/n.md").touch()
    take_away(VaultFiles(tmp_path), change(("docs/n.md", "Docs/n.md"), emptied=("docs",)))
    assert tree(tmp_path) == ["Docs", "Docs/n.md"]
