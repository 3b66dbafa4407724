"""A parsed file as rows of the catalog's tables, and the values read back from them."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from sidecar.catalog.keys import text_key, value_key
from sidecar.catalog.permalink import permalink_of
from sidecar.catalog.resolve import name_key
from sidecar.model.file import FileState
from sidecar.model.note import (
    BlockId,
    FileKind,
    Heading,
    Link,
    LinkKind,
    Observation,
    ParsedFile,
    Relation,
    Tag,
    Task,
)

__all__ = [
    "ALIASES",
    "BLOCK_IDS",
    "HEADINGS",
    "INSERT_FILE",
    "LINKS",
    "OBSERVATIONS",
    "PARTS",
    "RELATIONS",
    "TAGS",
    "TASKS",
    "FileRows",
    "Part",
    "Row",
    "rows_of",
]

T = TypeVar("T")
Row: TypeAlias = tuple[Any, ...]
"""What SQLite takes and gives; the schema holds the columns' types."""

INSERT_FILE = "INSERT OR REPLACE INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def _file_row(file: ParsedFile, state: FileState) -> Row:
    """Return the row of table ``file``; attachments have neither title nor permalink to be found by."""
    named = file.kind is not FileKind.ATTACHMENT
    own = file.properties.get("permalink")
    return (
        state.id,
        str(file.path),
        state.mtime_ns,
        state.size,
        state.hash,
        file.kind.value,
        file.title,
        text_key(file.title) if named else None,
        permalink_of(file.path) if named else None,
        text_key(own.strip("/")) if isinstance(own, str) else None,
        file.problem.message if file.problem else None,
        file.problem.line if file.problem else None,
        json.dumps(dict(file.properties)) if file.properties else "{}",
    )


@dataclass(frozen=True, slots=True)
class FileRows:
    """All rows of one file: that of table ``file``, and those of each of :data:`PARTS`."""

    file: Row
    parts: tuple[tuple[Row, ...], ...]


def rows_of(file: ParsedFile, state: FileState) -> FileRows:
    """Return what the tables hold of a file."""
    parts = (tuple((state.id, n, *row) for n, row in enumerate(part.rows(file))) for part in PARTS)
    return FileRows(_file_row(file, state), tuple(parts))


@dataclass(frozen=True, slots=True)
class Part(Generic[T]):
    """A table of one kind of thing that files hold, keyed by file and position."""

    table: str
    columns: tuple[str, ...]
    rows: Callable[[ParsedFile], Iterable[Row]]
    value: Callable[[Row], T]

    @property
    def insert(self) -> str:
        """The statement that stores a row ``(file, n, *columns)``."""
        return f"INSERT OR REPLACE INTO {self.table} VALUES (?, ?{', ?' * len(self.columns)})"  # noqa: S608 - our names

    @property
    def delete(self) -> str:
        """The statement that drops all rows of one file."""
        return f"DELETE FROM {self.table} WHERE file = ?"  # noqa: S608

    @property
    def select(self) -> str:
        """The statement that reads the rows of one file in order, for :attr:`value`."""
        return f"SELECT {', '.join(self.columns)} FROM {self.table} WHERE file = ? ORDER BY n"  # noqa: S608


def _alias_rows(file: ParsedFile) -> Iterator[Row]:
    return ((text_key(alias), alias) for alias in file.aliases)


def _property_rows(file: ParsedFile) -> Iterator[Row]:
    """One row for the value, and one for each item of a list: that is what "has this value" means."""
    for name, value in file.properties.items():
        key = text_key(name)
        yield key, value_key(value)
        if isinstance(value, list):
            for item in value:
                yield key, value_key(item)


def _tag_rows(file: ParsedFile) -> Iterator[Row]:
    return ((text_key(tag.name), tag.name, tag.line, tag.in_property) for tag in file.tags)


def _link_rows(file: ParsedFile) -> Iterator[Row]:
    for link in file.links:
        yield (
            name_key(link.linkpath),
            link.kind.value,
            link.raw,
            link.linkpath,
            link.subpath,
            link.display,
            link.line,
            link.start,
            link.heading,
            link.property,
            link.card,
        )


def _heading_rows(file: ParsedFile) -> Iterator[Row]:
    return ((h.level, h.text, h.line, h.start, h.end) for h in file.headings)


def _task_rows(file: ParsedFile) -> Iterator[Row]:
    return ((t.status, t.text, t.line, t.parent, t.heading) for t in file.tasks)


def _block_rows(file: ParsedFile) -> Iterator[Row]:
    return ((block.name, block.line) for block in file.block_ids)


def _observation_rows(file: ParsedFile) -> Iterator[Row]:
    return ((o.category, o.content, json.dumps(o.tags), o.context, o.line) for o in file.observations)


def _relation_rows(file: ParsedFile) -> Iterator[Row]:
    return ((r.type, r.target, r.context, r.line) for r in file.relations)


def _alias(row: Row) -> str:
    (alias,) = row[1:]
    return str(alias)


def _tag(row: Row) -> Tag:
    _, name, line, in_property = row
    return Tag(name, line, bool(in_property))


def _link(row: Row) -> Link:
    _, kind, *rest = row
    return Link(LinkKind(kind), *rest)


def _observation(row: Row) -> Observation:
    category, content, tags, context, line = row
    return Observation(category, content, tuple(json.loads(tags)), context, line)


ALIASES = Part("alias", ("key", "alias"), _alias_rows, _alias)
PROPERTIES = Part("property", ("name", "value_key"), _property_rows, tuple)
TAGS = Part("tag", ("key", "name", "line", "in_property"), _tag_rows, _tag)
LINKS = Part(
    "link",
    (
        "name_key",
        "kind",
        "raw",
        "linkpath",
        "subpath",
        "display",
        "line",
        "start",
        "heading",
        "property",
        "card",
    ),
    _link_rows,
    _link,
)
HEADINGS = Part("heading", ("level", "text", "line", "start", "end"), _heading_rows, lambda row: Heading(*row))
TASKS = Part("task", ("status", "text", "line", "parent", "heading"), _task_rows, lambda row: Task(*row))
BLOCK_IDS = Part("block", ("name", "line"), _block_rows, lambda row: BlockId(*row))
OBSERVATIONS = Part("observation", ("category", "content", "tags", "context", "line"), _observation_rows, _observation)
RELATIONS = Part("relation", ("type", "target", "context", "line"), _relation_rows, lambda row: Relation(*row))
PARTS: tuple[Part[Any], ...] = (
    ALIASES,
    PROPERTIES,
    TAGS,
    LINKS,
    HEADINGS,
    TASKS,
    BLOCK_IDS,
    OBSERVATIONS,
    RELATIONS,
)
