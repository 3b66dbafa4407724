from pathlib import Path

import pytest

from sidecar.model.path import VaultPath as P
from sidecar.vault.places import Places


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("/v", ""),
        ("/v/", ""),
        ("/v/a.md", "a.md"),
        ("/v/A b/c.md", "A b/c.md"),
        ("/v/Cafe\u0301.md", "Caf\u00e9.md"),
        ("/v/.obsidian/app.json", None),
        ("/v/a/.hidden.md", None),
        ("/v/a/.git/b.md", None),
        ("/v/a/.Cloud note.md.icloud", "a/Cloud note.md"),
        ("/v/back\\slash.md", None),
        ("/vault/a.md", None),
        ("/elsewhere/n.md", "link/n.md"),
        ("/elsewhere", "link"),
        ("/other", None),
    ],
)
def test_vault_path(place: str, expected: str | None) -> None:
    places = Places(Path("/v"), {P("link"): Path("/elsewhere")})
    assert places.vault_path(place) == expected
    assert places.folders == (Path("/v"), Path("/elsewhere"))


def test_a_whole_disk_may_be_the_vault() -> None:
    assert Places(Path("/"), {}).vault_path("/a/b.md") == "a/b.md"
