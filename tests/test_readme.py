"""The README says what is true: generated tables are current, commands and settings exist."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from bench.readme import with_tables
from sidecar.config import Settings
from sidecar.tools.families import FAMILIES, tools_of

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def test_generated_tables_are_current() -> None:
    assert with_tables(README) == README


def test_the_settings_shown_are_valid_and_complete() -> None:
    (sample,) = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    shown = tomllib.loads(sample)
    Settings.model_validate(shown)
    assert _keys(shown) == _keys(Settings().model_dump())


def _keys(settings: Mapping[str, Any]) -> dict[str, set[str]]:
    return {name: set(value) if isinstance(value, dict) else set() for name, value in settings.items()}


@pytest.mark.parametrize("target", ["run", "test", "lock"])
def test_make_targets_exist(target: str) -> None:
    assert f"make {target}" in README
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_every_file_named_is_there() -> None:
    for name in re.findall(r"`((?:bench|tests|examples-vault|sidecar)/[\w./*-]+)`", README):
        assert list(ROOT.glob(name.rstrip("/"))), name


def test_every_link_into_the_repository_leads_somewhere() -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#\s]+)\)", README)
    assert targets
    assert [target for target in targets if not (ROOT / unquote(target)).is_file()] == []


def test_as_many_tools_are_promised_as_there_are() -> None:
    assert f"The {len(FAMILIES['basic-memory'])} tools of Basic Memory" in README


def test_the_changelog_names_every_tool() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert [name for name in tools_of() if f"`{name}`" not in changelog] == []
