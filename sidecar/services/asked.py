"""What a search asks for, as it is said and as it is understood."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from sidecar.dates.timeframe import since
from sidecar.errors import Invalid
from sidecar.model.note import Json
from sidecar.services.file_order import FileOrder
from sidecar.services.meta_conditions import Condition
from sidecar.services.metadata_filters import conditions_of

__all__ = ["Asked", "Plan", "RowKind", "SearchType", "plan_of"]

E = TypeVar("E", bound=StrEnum)

_LARGEST_PAGE = 100
_MOST_CONTEXT = 10
_SCHEME = "memory://"
_TAGS = frozenset({"tag", "tags"})
_SHORTHAND = re.compile(r"(?<!\S)tag:#?([^\s\"()]+)", re.IGNORECASE)
_RELEVANCE = "relevance"
_ORDERS = {"title": FileOrder.TITLE_ASC, "created": FileOrder.CREATED_DESC, "updated": FileOrder.UPDATED_DESC}


class SearchType(StrEnum):
    """What is compared with the query."""

    TEXT = "text"
    TITLE = "title"
    PERMALINK = "permalink"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"


_TYPES = {**{kind.value: kind for kind in SearchType}, "vector": SearchType.SEMANTIC}


class RowKind(StrEnum):
    """What a result is: a file, or a fact or typed link in it."""

    ENTITY = "entity"
    OBSERVATION = "observation"
    RELATION = "relation"


@dataclass(frozen=True, slots=True)
class Asked:
    """A search as it is said: the query, its filters, and which page of the results in which order."""

    query: str | None = None
    page: int = 1
    page_size: int = 10
    search_type: str | None = None
    tags: Sequence[str] = ()
    note_types: Sequence[str] = ()
    status: str | None = None
    metadata_filters: Mapping[str, Json] | None = None
    entity_types: Sequence[str] = ()
    categories: Sequence[str] = ()
    after_date: str | None = None
    min_similarity: float | None = None
    include_excluded: bool = False
    sort: str = _RELEVANCE
    context_lines: int = 0
    cursor: str | None = None

    @property
    def what(self) -> "Asked":
        """The search itself, whichever page of it is wanted."""
        return replace(self, page=1, page_size=10, context_lines=0, cursor=None)


@dataclass(frozen=True, slots=True)
class Plan:
    """A search as it is understood. No ``kind`` is what is best: by meaning too where that can be had."""

    text: str
    kind: SearchType | None
    rows: frozenset[RowKind]
    tags: tuple[str, ...]
    note_types: tuple[str, ...]
    conditions: tuple[Condition, ...]
    categories: tuple[str, ...]
    after_ns: int | None
    min_similarity: float | None
    include_excluded: bool
    order: FileOrder | None

    @property
    def is_filtered(self) -> bool:
        """Tell whether something but the query decides what is found."""
        filters = self.tags or self.note_types or self.conditions or self.categories
        return bool(filters) or self.after_ns is not None


def plan_of(asked: Asked, now_ns: int) -> Plan:
    """Read what a search asks for.

    A query that is a ``memory://`` URL is a pattern of permalinks. Categories are those of observations. ``tags`` and
    ``status`` stand back behind ``metadata_filters`` of the same name.

    Raises:
        Invalid: when a parameter is out of range, unknown or contradicts another, or there is nothing to search for.

    """
    _check_range("page", asked.page, 1, 1_000_000)
    _check_range("page_size", asked.page_size, 1, _LARGEST_PAGE)
    _check_range("context_lines", asked.context_lines, 0, _MOST_CONTEXT)
    if asked.min_similarity is not None:
        _check_range("min_similarity", asked.min_similarity, 0, 1)
    text = (asked.query or "").strip()
    kind = _type(asked.search_type)
    if text.lower().startswith(_SCHEME) and kind in (None, SearchType.PERMALINK):
        text, kind = text[len(_SCHEME) :], SearchType.PERMALINK
    shorthand: Sequence[str] = ()
    if kind is SearchType.PERMALINK:
        text, shorthand = _SHORTHAND.sub(" ", text).strip(), _SHORTHAND.findall(text)
    filters = dict(asked.metadata_filters or {})
    named = {name.lower() for name in filters}
    if asked.status and "status" not in named:
        filters["status"] = asked.status
    plan = Plan(
        text=text,
        kind=kind,
        rows=_rows(asked),
        tags=_tags((*shorthand, *(() if named & _TAGS else asked.tags))),
        note_types=tuple(name for name in asked.note_types if name.strip()),
        conditions=conditions_of(filters),
        categories=tuple(name.strip() for name in asked.categories if name.strip()),
        after_ns=since(asked.after_date, now_ns) if asked.after_date else None,
        min_similarity=asked.min_similarity,
        include_excluded=asked.include_excluded,
        order=_order(asked.sort),
    )
    if not text and (kind is SearchType.PERMALINK or not plan.is_filtered):
        raise Invalid(
            "There is nothing to search for.", hint="Give a query, or filters: tags, status, note_types, after_date."
        )
    return plan


def _tags(said: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tag for name in said if (tag := name.strip().lstrip("#"))))


def _check_range(name: str, value: float, low: int, high: int) -> None:
    if not low <= value <= high:
        raise Invalid(f"{name} is {value}; it goes from {low} to {high}.")


def _type(said: str | None) -> SearchType | None:
    if said is None or not said.strip():
        return None
    kind = _TYPES.get(said.strip().lower())
    if kind is None:
        raise Invalid(f"There is no search_type '{said}'.", hint="Choose one of these.", candidates=list(_TYPES))
    return kind


def _rows(asked: Asked) -> frozenset[RowKind]:
    named = frozenset(_member(RowKind, "entity_types", name) for name in asked.entity_types if name.strip())
    if not asked.categories:
        return named or frozenset({RowKind.ENTITY})
    if named and RowKind.OBSERVATION not in named:
        raise Invalid("Only observations have a category.", hint="Add observation to entity_types, or leave it out.")
    return frozenset({RowKind.OBSERVATION})


def _member(kind: type[E], parameter: str, said: str) -> E:
    try:
        return kind(said.strip().lower())
    except ValueError:
        known = [member.value for member in kind]
        raise Invalid(f"{parameter}: there is no '{said}'.", hint="Choose of these.", candidates=known) from None


def _order(said: str) -> FileOrder | None:
    name = said.strip().lower()
    if name == _RELEVANCE:
        return None
    if name in _ORDERS:
        return _ORDERS[name]
    try:
        return FileOrder(name)
    except ValueError:
        orders = [_RELEVANCE, *(order.value for order in FileOrder)]
        raise Invalid(f"There is no order '{said}'.", hint="sort is one of these.", candidates=orders) from None
