import pytest

from sidecar.catalog.store import Catalog
from tests.catalog.builders import file, fill


@pytest.fixture
def vault(catalog: Catalog) -> Catalog:
    fill(
        catalog,
        file("Apollo.md"),
        file("a/Project Apollo.md"),
        file("b/project apollo.md"),
        file("Titled.md", title="The APOLLO Story"),
        file("Aliased.md", aliases=("Apollo Crew", "apollo")),
        file("Apollo map.canvas"),
        file("Apollo.png"),
    )
    return catalog


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (
            ["Apollo"],
            {
                ("a/Project Apollo.md", "project apollo"),
                ("b/project apollo.md", "project apollo"),
                ("Titled.md", "the apollo story"),
                ("Aliased.md", "apollo crew"),
            },
        ),
        (["Crew", "story"], {("Titled.md", "the apollo story"), ("Aliased.md", "apollo crew")}),
        (["nothing"], set()),
        ([""], set()),
        ([], set()),
    ],
)
def test_longer_names_of_notes(vault: Catalog, names: list[str], expected: set[tuple[str, str]]) -> None:
    assert set(vault.reader().longer_names(names)) == expected
