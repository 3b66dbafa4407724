import pytest

from sidecar.services.permalinks import permalink_test
from tests.conftest import Served


@pytest.mark.parametrize(
    ("pattern", "permalink", "fits"),
    [
        ("docs/meeting-*", "docs/meeting-1", True),
        ("docs/meeting-*", "docs/meeting-1/notes", True),
        ("meeting-*", "docs/meeting-1", False),
        ("docs/meeting", "docs/meeting", True),
        ("docs/meeting", "docs/meeting-1", False),
        ("My Research/docs/*", "docs/a", True),
        ("my-research/docs/*", "docs/a", True),
        ("my-research/docs/*", "my-research/docs/a", True),
        ("other/docs/*", "docs/a", False),
        ("/Docs/Plan A/", "docs/plan-a", True),
        ("*", "anything/at/all", True),
        ("docs/?", "docs/a", True),
        ("docs/[ab]*", "docs/b1", True),
        ("docs.*", "docs/a", False),
        ("(", "docs", False),
    ],
)
def test_a_pattern_fits_a_permalink(pattern: str, permalink: str, *, fits: bool) -> None:
    assert permalink_test(pattern, "My Research")(permalink) is fits


@pytest.fixture
def docs(served: Served) -> Served:
    served.write("Docs/Meeting 1.md", "one #work")
    served.write(
        "Docs/Meeting 2.md",
        "---\npermalink: minutes/second\nstatus: done\n---\ntwo\n\n- [decision] stay\n- leads_to [[Other]]",
    )
    served.write("Other.md", "other #work")
    served.write("Docs/Map.canvas", "{}")
    return served


@pytest.mark.parametrize(
    ("query", "arguments", "found"),
    [
        ("docs/meeting-*", {}, ["Docs/Meeting 1.md", "Docs/Meeting 2.md"]),
        ("vault/docs/meeting-*", {}, ["Docs/Meeting 1.md", "Docs/Meeting 2.md"]),
        ("memory://docs/*", {}, ["Docs/Map.canvas", "Docs/Meeting 1.md", "Docs/Meeting 2.md"]),
        ("minutes/*", {}, ["Docs/Meeting 2.md"]),
        ("docs/* tag:work", {}, ["Docs/Meeting 1.md"]),
        ("docs/*", {"status": "done"}, ["Docs/Meeting 2.md"]),
        ("meeting-*", {}, []),
        ("docs/meeting-2/*", {"entity_types": ["observation", "relation"]}, ["Docs/Meeting 2.md"] * 2),
        ("*/observations/decision/*", {"categories": ["Decision"]}, ["Docs/Meeting 2.md"]),
        ("*/observations/*", {"categories": ["x"]}, []),
    ],
)
def test_search_by_permalink(docs: Served, query: str, arguments: dict[str, object], found: list[str]) -> None:
    assert docs.found(query, search_type="permalink", **arguments) == found


def test_a_memory_url_is_a_pattern_without_being_told(docs: Served) -> None:
    result = docs.ok("search_notes", query="memory://docs/meeting-*")
    assert (result["search_type_used"], result["total"]) == ("permalink", 2)
    assert [r["score"] for r in result["results"]] == [None, None]
