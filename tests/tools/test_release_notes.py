from sidecar import __version__
from tests.conftest import Served


def test_the_newest_sections_of_our_own_changelog(served: Served) -> None:
    told = served.ok("release_notes")
    assert told["version"] == __version__
    assert told["releases"][0]["version"] == "Unreleased"
    assert "`search_notes`" in told["releases"][0]["notes"]
    (text,) = served.call("release_notes").blocks
    assert text.startswith(f"# Vault Sidecar {__version__}\n\n## Unreleased\n")
    assert len(text) < 25_000
