import re
from typing import Any

import pytest

from tests.conftest import Served
from tests.tools.memories import INDEX, NESTED, OLDER, text, with_samples


def timeless(said: str) -> str:
    return re.sub(r"\n *modified: .*", "", said)


def test_adding_changes_nothing_else(served: Served) -> None:
    with_samples(served)
    done = served.ok("recall_update", name="no-attribution", append="More.")
    assert timeless(served.read("Memory/no-attribution.md")) == timeless(NESTED) + "More.\n"
    assert done["memory"]["modified"] > "2026-08-15T19:07:18.393Z"
    assert served.read("Memory/MEMORY.md") == INDEX


def test_sections(served: Served) -> None:
    served.write("Memory/a.md", "# One\n\nold\n\n# Two\n\nkept\n")
    served.ok("recall_update", name="a", section="One", content="new")
    served.ok("recall_update", name="a", section="Two", append="more")
    assert served.read("Memory/a.md") == "# One\n\nnew\n\n# Two\n\nkept\nmore\n"
    assert "changed" not in text(served, "recall_update", name="a", section="One", content="new")


def test_description_and_type_where_the_file_keeps_them(served: Served) -> None:
    with_samples(served)
    served.ok("recall_update", name="feedback_testing", description="less of them", type="user")
    expected = OLDER.replace("how tests are liked", "less of them").replace("type: feedback", "type: user")
    assert timeless(served.read("Memory/feedback_testing.md")) == expected
    assert served.read("Memory/MEMORY.md") == INDEX.replace("how tests are liked", "less of them")


def test_a_memory_without_a_line_gets_one(served: Served) -> None:
    with_samples(served)
    served.write("Memory/MEMORY.md", "")
    served.ok("recall_update", name="feedback_testing", append="x")
    assert served.read("Memory/MEMORY.md") == "- [Testing advice](feedback_testing.md) — how tests are liked\n"


def test_only_the_version_that_was_read(served: Served) -> None:
    with_samples(served)
    seen = served.ok("recall_get", name="no-attribution")["sha256"]
    served.ok("recall_update", name="no-attribution", append="1", expected_checksum=seen)
    served.fails("recall_update", "stale", name="no-attribution", append="2", expected_checksum=seen)


@pytest.mark.parametrize(
    ("category", "arguments"),
    [
        ("invalid", {}),
        ("invalid", {"content": "x"}),
        ("invalid", {"section": "Why"}),
        ("invalid", {"append": "a", "section": "s", "content": "b"}),
        ("invalid", {"description": "  "}),
        ("invalid", {"append": "x", "expected_checksum": "short"}),
        ("not_found", {"append": "x", "section": "Nowhere"}),
        ("not_found", {"append": "x", "name": "no-attribtion"}),
    ],
)
def test_what_cannot_be_done_is_refused(served: Served, category: str, arguments: dict[str, Any]) -> None:
    with_samples(served)
    served.open()
    served.fails("recall_update", category, **{"name": "no-attribution", **arguments})
