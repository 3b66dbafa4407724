import pytest

from sidecar.model.path import VaultPath as P
from sidecar.vault.excluded import ExcludedFiles


@pytest.mark.parametrize(
    ("filters", "path", "expected"),
    [
        (["Archive/"], "Archive/a.md", True),
        (["Archive/"], "Archive/Deep/a.md", True),
        (["Archive/"], "Old/Archive/a.md", False),
        (["Archive/"], "Archive.md", False),
        (["Arch"], "Archive.md", True),
        (["Archive/old.md"], "Archive/old.md", True),
        (["Cafe\u0301/"], "Caf\u00e9/a.md", True),
        (["*.md"], "a.md", False),
        (["/\\.draft\\.md$/"], "x/a.draft.md", True),
        (["/\\.draft\\.md$/"], "a.draft.md.md", False),
        (["/^\\d{4}/"], "2026/a.md", True),
        (["/^\\d{4}/"], "x/2026/a.md", False),
        (["/(?<year>\\d{4})-\\k/", "/(?<!a)b/"], "b.md", True),
        (["/(?<year>\\d{4})/"], "in 2026.md", True),
        (["/(?<=x)y/"], "xy.md", True),
        (["/(/", "Archive/"], "Archive/a.md", True),
        (["/(/"], "(.md", False),
        (["/"], "a.md", False),
        ([""], "a.md", False),
        ([], "a.md", False),
    ],
)
def test_a13_filters_are_beginnings_or_expressions(filters: list[str], path: str, expected: bool) -> None:
    assert ExcludedFiles.of(filters).among([P(path), P("zzz.md")]) == (frozenset([path]) if expected else frozenset())
