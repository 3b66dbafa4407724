from typing import Any

import pytest

from sidecar.errors import Invalid
from sidecar.model.note import Json
from sidecar.services.meta_conditions import Condition
from sidecar.services.metadata_filters import conditions_of
from tests.conftest import Served


@pytest.mark.parametrize(
    ("filters", "conditions"),
    [
        ({}, []),
        ({"status": "x"}, [("status", "=", "x")]),
        ({"done": True}, [("done", "=", True)]),
        ({"tags": ["a", "b"]}, [("tags", "has", "a"), ("tags", "has", "b")]),
        ({"due": None}, [("due", "missing")]),
        ({"n": {"$gt": 1, "$lte": 5}}, [("n", ">", 1), ("n", "<=", 5)]),
        ({"n": {"gte": 1}}, [("n", ">=", 1)]),
        ({"n": {"$LT": "2026-01-01"}}, [("n", "<", "2026-01-01")]),
        ({"p": {"$in": ["a", 1]}}, [("p", "in", "a", 1)]),
        ({"p": {"$nin": ["a"]}}, [("p", "not in", "a")]),
        ({"a.b": {"$between": [0.3, 0.6]}}, [("a.b", "between", 0.3, 0.6)]),
        ({"p": {"$contains": "a"}}, [("p", "has", "a")]),
        ({"p": {"$contains": ["a", "b"]}}, [("p", "has", "a"), ("p", "has", "b")]),
        ({"p": {"$exists": True}}, [("p", "exists")]),
        ({"p": {"$exists": False}}, [("p", "missing")]),
        ({"p": {"$ne": "a"}}, [("p", "!=", "a")]),
        ({"p": {"$ne": None}}, [("p", "exists")]),
        ({"p": {"$eq": None}}, [("p", "missing")]),
        ({"due date": "x", "größe": 1}, [("due date", "=", "x"), ("größe", "=", 1)]),
    ],
)
def test_filters_mean_conditions(filters: dict[str, Json], conditions: list[tuple[Any, ...]]) -> None:
    assert list(conditions_of(filters)) == [Condition(name, sign, tuple(values)) for name, sign, *values in conditions]


@pytest.mark.parametrize(
    ("filters", "told"),
    [
        ({"status": {"$regex": "a"}}, r"'\$regex' \(for 'status'\)"),
        ({"schema": {"confidence": 1}}, "'confidence'"),
        ({"p": {}}, "no operator"),
        ({"p": {"$in": []}}, "not empty"),
        ({"p": {"$in": "a"}}, "takes a list"),
        ({"p": []}, "not empty"),
        ({"p": {"$between": [1]}}, "two values"),
        ({"p": {"$between": [1, None]}}, "number or a text"),
        ({"p": {"$gt": True}}, "number or a text"),
        ({"p": {"$gt": [1]}}, "number or a text"),
        ({"p": {"$exists": "yes"}}, "true or false"),
        ({"": 1}, "no name"),
        ({"a..b": 1}, "no name"),
        ({".a": 1}, "no name"),
    ],
)
def test_what_is_no_filter_is_invalid(filters: dict[str, Json], told: str) -> None:
    with pytest.raises(Invalid, match=told):
        conditions_of(filters)


def test_an_unknown_operator_names_those_there_are() -> None:
    with pytest.raises(Invalid) as error:
        conditions_of({"status": {"$regex": "a"}})
    assert {"$in", "$gt", "$gte", "$lt", "$lte", "$between", "$contains", "$exists", "$ne"} <= set(
        error.value.candidates
    )


NOTES = {
    "a": "status: Active\npriority: 3\ntags: [work/now, big]\nschema:\n  confidence: 0.5\n  by: {who: Ada}",
    "b": "status: done\npriority: '10'\ntags: big\nschema:\n  confidence: 0.9",
    "c": "status: [active, stalled]\ndue: 2026-03-01\ntype: person\na.b: dotted",
    "d": "due:\npriority: high",
    "e": "",
}


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"status": "active"}, "ac"),
        ({"STATUS": "ACTIVE"}, "ac"),
        ({"status": {"$ne": "active"}}, "bde"),
        ({"status": {"$nin": ["active", "done"]}}, "de"),
        ({"status": {"$in": ["done", "stalled"]}}, "bc"),
        ({"status": ["active", "stalled"]}, "c"),
        ({"priority": 3}, "a"),
        ({"priority": "3"}, "a"),
        ({"priority": {"$gt": 3}}, "b"),
        ({"priority": {"$gte": "3"}}, "ab"),
        ({"priority": {"$gt": 2, "$lt": 10}}, "a"),
        ({"priority": {"$between": [3, 10]}}, "ab"),
        ({"due": {"$gte": "2026-01-01"}}, "c"),
        ({"due": None}, "abde"),
        ({"due": {"$exists": True}}, "c"),
        ({"schema.confidence": {"$gt": 0.7}}, "b"),
        ({"schema.confidence": 0.5}, "a"),
        ({"schema.by.who": "ada"}, "a"),
        ({"schema.nothing": None}, "abcde"),
        ({"a.b": "dotted"}, "c"),
        ({"tags": "work"}, "a"),
        ({"tags": ["big", "work/now"]}, "a"),
        ({"tags": {"$contains": "#big"}}, "ab"),
        ({"tags": {"$in": ["work", "inline"]}}, "ae"),
        ({"type": "note"}, "abde"),
        ({"type": {"$ne": "person"}}, "abde"),
        ({"status": "active", "priority": {"$lt": 5}}, "a"),
    ],
)
def test_notes_meet_filters(served: Served, filters: dict[str, Json], found: str) -> None:
    for name, properties in NOTES.items():
        served.write(f"{name}.md", f"---\n{properties}\n---\nwords {'#inline' if name == 'e' else ''}\n")
    served.write("x.canvas", "{}")
    served.write("y.png", b"png")
    results = served.ok("search_notes", metadata_filters=filters, page_size=100)["results"]
    assert "".join(sorted(r["title"] for r in results)) == found
    with_words = served.ok("search_notes", query="words", metadata_filters=filters, page_size=100)["results"]
    assert "".join(sorted(r["title"] for r in with_words)) == found
