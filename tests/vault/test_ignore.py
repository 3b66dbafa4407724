from pathlib import Path

import pytest

from sidecar.errors import Invalid, Unavailable
from sidecar.model.path import VaultPath as P
from sidecar.vault.ignore import RULES_FILE, Access, AccessRules, CurrentRules


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


class _Clock:
    seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def _access(rules: CurrentRules, *paths: str) -> list[Access]:
    return [rules.now().access(P(path), {}) for path in paths]


def test_rules_that_change_hold_at_once(tmp_path: Path) -> None:
    rules = CurrentRules(tmp_path, deny=["Work/"])
    before = rules.now()
    assert rules.now() is before
    assert _access(rules, "Work/a.md", "Diary/a.md") == [Access.DENIED, Access.OPEN]
    (tmp_path / RULES_FILE).write_text("Diary/\n")
    assert _access(rules, "Work/a.md", "Diary/a.md") == [Access.DENIED, Access.DENIED]
    assert rules.access(P("Diary/a.md"), {}) is Access.DENIED
    assert rules.access(P("a.md"), {"private": True}) is Access.DENIED


@pytest.mark.parametrize("half_written", ["", "Sec", None])
def test_what_was_denied_stays_so_while_the_rules_are_being_saved(tmp_path: Path, half_written: str | None) -> None:
    clock = _Clock()
    told: list[float] = []
    file = tmp_path / RULES_FILE
    file.write_text("Secret/\n")
    rules = CurrentRules(tmp_path, read_only=["Sources/"], clock=clock)
    rules.on_change(lambda: told.append(clock.seconds))
    file.unlink() if half_written is None else file.write_text(half_written)
    paths = ("Secret/a.md", "Other/a.md", "Sources/a.md")
    assert _access(rules, *paths) == [Access.DENIED, Access.OPEN, Access.READ_ONLY]
    clock.seconds += 0.5
    file.write_text("Other/\n")
    assert _access(rules, *paths) == [Access.DENIED, Access.DENIED, Access.READ_ONLY]
    clock.seconds += 0.9
    assert _access(rules, *paths) == [Access.DENIED, Access.DENIED, Access.READ_ONLY]
    clock.seconds += 0.2
    assert _access(rules, *paths) == [Access.OPEN, Access.DENIED, Access.READ_ONLY]
    assert len(told) == 3


def test_rules_that_became_malformed_are_no_rules_fewer(tmp_path: Path) -> None:
    (tmp_path / RULES_FILE).write_text("Secret/\n")
    rules = CurrentRules(tmp_path)
    (tmp_path / RULES_FILE).write_bytes(b"\xff\xfe")
    for _ in range(2):
        with pytest.raises(Invalid, match="not UTF-8"):
            rules.now()
    assert rules.access(P("Secret/a.md"), {}) is Access.DENIED
    (tmp_path / RULES_FILE).write_text("Secret/\nMore/\n")
    assert _access(rules, "Secret/a.md", "More/a.md") == [Access.DENIED, Access.DENIED]


def test_denied_among(tmp_path: Path) -> None:
    paths = [P("Secret/a.md"), P("a.md")]
    assert AccessRules.load(tmp_path, deny=["Secret/"]).denied_among(paths) == {"Secret/a.md"}
    assert AccessRules.load(tmp_path).denied_among(paths) == frozenset()


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("Work/a.md", Access.ASK),
        ("WORK/Deep/a.md", Access.ASK),
        ("Work/Fixed/a.md", Access.READ_ONLY),
        ("Work/Secret/a.md", Access.DENIED),
        ("a.md", Access.OPEN),
    ],
)
def test_of_several_rules_the_strictest_counts(tmp_path: Path, path: str, expected: Access) -> None:
    rules = AccessRules.load(tmp_path, deny=["Secret/"], read_only=["Fixed/"], ask=["work/"])
    assert rules.access(P(path), {}) is expected
    assert AccessRules(also=rules).access(P(path), {}) is expected
    assert rules.access(P(path), {"private": True}) is Access.DENIED


def test_a_folder_is_asked_about_with_all_that_it_holds(tmp_path: Path) -> None:
    rules = AccessRules.load(tmp_path, ask=["Work/"])
    for both in (rules, AccessRules(also=rules)):
        assert [both.asks_for_folder(P(name)) for name in ("Work", "work/Deep", "Other")] == [True, True, False]


def test_ask_rules_outlive_a_change_of_the_rules_file(tmp_path: Path) -> None:
    rules = CurrentRules(tmp_path, ask=["Work/"])
    (tmp_path / RULES_FILE).write_text("Secret/\n")
    assert _access(rules, "Work/a.md", "Secret/a.md") == [Access.ASK, Access.DENIED]
