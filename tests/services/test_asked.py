from typing import Any

import pytest

from sidecar.errors import Invalid
from sidecar.services.asked import Asked, RowKind, SearchType, plan_of
from sidecar.services.file_order import FileOrder
from sidecar.services.meta_conditions import Condition

NOW = 1_800_000_000 * 10**9


@pytest.mark.parametrize(
    ("arguments", "field", "value"),
    [
        ({"query": " water "}, "text", "water"),
        ({"query": "x"}, "kind", None),
        ({"query": "x", "search_type": " Vector "}, "kind", SearchType.SEMANTIC),
        ({"query": "x", "search_type": "hybrid"}, "kind", SearchType.HYBRID),
        ({"query": "memory://docs/a*"}, "kind", SearchType.PERMALINK),
        ({"query": "Memory://docs/a*"}, "text", "docs/a*"),
        ({"query": "docs/* tag:#work/now", "search_type": "permalink"}, "text", "docs/*"),
        ({"query": "docs/* tag:#work/now", "search_type": "permalink"}, "tags", ("work/now",)),
        ({"query": "tag:x"}, "text", "tag:x"),
        ({"tags": ["#a", "a", " ", "b"]}, "tags", ("a", "b")),
        ({"tags": ["a"], "metadata_filters": {"TAGS": "b"}}, "tags", ()),
        ({"status": "x"}, "conditions", (Condition("status", "=", ("x",)),)),
        ({"status": "x", "metadata_filters": {"Status": "y"}}, "conditions", (Condition("Status", "=", ("y",)),)),
        ({"query": "x"}, "rows", {RowKind.ENTITY}),
        ({"query": "x", "entity_types": ["Relation", "entity"]}, "rows", {RowKind.ENTITY, RowKind.RELATION}),
        ({"query": "x", "categories": ["a"]}, "rows", {RowKind.OBSERVATION}),
        ({"query": "x", "categories": ["a"], "entity_types": ["observation", "entity"]}, "rows", {RowKind.OBSERVATION}),
        ({"query": "x", "after_date": "1d"}, "after_ns", NOW - 86_400 * 10**9),
        ({"query": "x", "sort": "relevance"}, "order", None),
        ({"query": "x", "sort": "updated"}, "order", FileOrder.UPDATED_DESC),
        ({"query": "x", "sort": "title_desc"}, "order", FileOrder.TITLE_DESC),
    ],
)
def test_what_is_asked_means(arguments: dict[str, Any], field: str, value: object) -> None:
    assert getattr(plan_of(Asked(**arguments), NOW), field) == value


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "nothing to search for"),
        ({"query": "  "}, "nothing to search for"),
        ({"search_type": "permalink", "tags": ["x"]}, "nothing to search for"),
        ({"query": "x", "page": 0}, "page is 0"),
        ({"query": "x", "page_size": 101}, "page_size is 101"),
        ({"query": "x", "context_lines": 11}, "context_lines is 11"),
        ({"query": "x", "min_similarity": 1.5}, "min_similarity is 1.5"),
        ({"query": "x", "search_type": "fuzzy"}, "'fuzzy'"),
        ({"query": "x", "entity_types": ["note"]}, "'note'"),
        ({"query": "x", "entity_types": ["relation"], "categories": ["a"]}, "category"),
        ({"query": "x", "sort": "size"}, "'size'"),
        ({"query": "x", "after_date": "not a date"}, "'not a date'"),
        ({"query": "x", "after_date": "tomorrow"}, "future"),
    ],
)
def test_what_cannot_be_meant_is_invalid(arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(Invalid, match=told):
        plan_of(Asked(**arguments), NOW)


def test_an_unknown_search_type_names_those_there_are() -> None:
    with pytest.raises(Invalid) as error:
        plan_of(Asked("x", search_type="fuzzy"), NOW)
    assert set(error.value.candidates) == {"text", "title", "permalink", "vector", "semantic", "hybrid"}
