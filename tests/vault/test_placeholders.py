import os
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from sidecar.vault.placeholders import is_here, name_of_placeholder


@pytest.mark.parametrize(
    ("stat", "expected"),
    [
        ({}, True),
        ({"st_flags": 0}, True),
        ({"st_flags": 0x8000}, True),  # hidden
        ({"st_flags": 0x40000000}, False),  # dataless
        ({"st_flags": 0x40008000}, False),
        ({"st_file_attributes": 0x20}, True),  # archive
        ({"st_file_attributes": 0x00400020}, False),  # recall on data access
        ({"st_file_attributes": 0x00040000}, False),  # recall on open
        ({"st_file_attributes": 0x00001000}, False),  # offline
        ({"st_file_attributes": 0x00080020}, True),  # pinned: kept here
    ],
)
def test_what_only_a_cloud_service_holds_is_told_by_its_stat(stat: dict[str, int], expected: bool) -> None:
    assert is_here(cast(os.stat_result, SimpleNamespace(**stat))) is expected


def test_what_is_on_a_plain_disk_is_here(tmp_path: Path) -> None:
    assert is_here(tmp_path.stat())


@pytest.mark.parametrize(
    ("name", "stands_for"),
    [
        (".Note.md.icloud", "Note.md"),
        (".Board v1.2.canvas.icloud", "Board v1.2.canvas"),
        (".photo.icloud", "photo"),
        ("Note.md.icloud", None),
        (".Note.md", None),
        (".icloud", None),
        ("..hidden.md.icloud", None),
    ],
)
def test_h8_placeholders_of_icloud(name: str, stands_for: str | None) -> None:
    assert name_of_placeholder(name) == stands_for
