from pathlib import Path

import pytest

from sidecar.errors import Invalid, Unavailable
from sidecar.model.path import VaultPath as P
from sidecar.vault.ignore import RULES_FILE, Access, AccessRules


@pytest.mark.parametrize(
    ("deny", "path", "expected"),
    [
        (["Private/**"], "Private/a.md", Access.DENIED),
        (["Private/"], "Private/Deep/a.md", Access.DENIED),
        (["Private/"], "Work/Private/a.md", Access.DENIED),
        (["/Private/"], "Work/Private/a.md", Access.OPEN),
        (["private/"], "PRIVATE/A.md", Access.DENIED),
        (["*.canvas"], "x/y.canvas", Access.DENIED),
        (["*.canvas"], "x/y.md", Access.OPEN),
        (["Private/*", "!Private/Public.md"], "Private/Public.md", Access.OPEN),
        (["Private/*", "!Private/Public.md"], "Private/Other.md", Access.DENIED),
        (["# comment", ""], "comment", Access.OPEN),
        (["Cafe\u0301/"], "Caf\u00e9/a.md", Access.DENIED),
    ],
)
def test_c27_deny_is_gitignore_grammar_without_case(
    tmp_path: Path, deny: list[str], path: str, expected: Access
) -> None:
    assert AccessRules.load(tmp_path, deny).access(P(path), {}) is expected


def test_c27_read_only_and_deny_together(tmp_path: Path) -> None:
    rules = AccessRules.load(tmp_path, deny=["Sources/Secret.md"], read_only=["Sources/**"])
    assert rules.access(P("Sources/a.md"), {}) is Access.READ_ONLY
    assert rules.access(P("Sources/Secret.md"), {}) is Access.DENIED
    assert rules.access(P("a.md"), {}) is Access.OPEN


@pytest.mark.parametrize(
    ("properties", "expected"),
    [
        ({"private": True}, Access.DENIED),
        ({"Private": True}, Access.DENIED),
        ({"private": False}, Access.OPEN),
        ({"private": None}, Access.OPEN),
        ({"private": 1}, Access.OPEN),
        ({}, Access.OPEN),
    ],
)
def test_c27_private_property(properties: dict[str, object], expected: Access) -> None:
    assert AccessRules().access(P("a.md"), properties) is expected


def test_rules_file_at_the_root_denies(tmp_path: Path) -> None:
    (tmp_path / RULES_FILE).write_bytes(b"\xef\xbb\xbf# mine\r\nDiary/\r\n")
    rules = AccessRules.load(tmp_path, deny=["Work/"])
    assert [rules.access(P(path), {}) for path in ("Diary/a.md", "Work/a.md", "a.md")] == [
        Access.DENIED,
        Access.DENIED,
        Access.OPEN,
    ]


def test_broken_rules_are_never_dropped_in_silence(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="'!' is no valid pattern"):
        AccessRules.load(tmp_path, deny=["!"])
    (tmp_path / RULES_FILE).write_bytes(b"\xff\xfe")
    with pytest.raises(Invalid, match="not UTF-8"):
        AccessRules.load(tmp_path)
    (tmp_path / RULES_FILE).unlink()
    (tmp_path / RULES_FILE).mkdir()
    with pytest.raises(Unavailable):
        AccessRules.load(tmp_path)
