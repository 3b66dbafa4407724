"""What the processes of a build tell one another: frames of JSON, and files read by a worker as JSON."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from struct import Struct
from typing import IO, Any, TypeAlias

from sidecar.model.file import FileStat
from sidecar.model.note import (
    BlockId,
    Card,
    FileKind,
    Heading,
    Link,
    LinkKind,
    Observation,
    ParsedFile,
    PropertyProblem,
    Relation,
    Tag,
    Task,
)
from sidecar.model.path import VaultPath

__all__ = ["ReadFile", "file_of", "json_of", "read_frame", "write_frame"]

_SIZE = Struct("!I")

_Json: TypeAlias = Any  # as json.loads gives it; both ends are this module


@dataclass(frozen=True, slots=True)
class ReadFile:
    """One file as a worker found it. The text itself stays with the worker: ``parsed`` has none."""

    stat: FileStat
    hash: str
    """SHA-256 hex of its bytes; ``""`` when it was not read."""
    read_ns: int
    """When it was read."""
    is_indexed: bool
    """It will be in a segment, because it may be found."""
    parsed: ParsedFile


def write_frame(stream: IO[bytes], message: _Json) -> None:
    """Write one message.

    Raises:
        OSError: when nobody reads any more.

    """
    data = json.dumps(message, separators=(",", ":")).encode()
    stream.write(_SIZE.pack(len(data)) + data)
    stream.flush()


def read_frame(stream: IO[bytes]) -> _Json:
    """Read one message; ``None`` when the other end has closed or died."""
    size = stream.read(_SIZE.size)
    if len(size) < _SIZE.size:
        return None
    (wanted,) = _SIZE.unpack(size)
    data = stream.read(wanted)
    return json.loads(data) if len(data) == wanted else None


def _row(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    return attrgetter(*(field.name for field in fields(kind)))


def _link(row: Sequence[Any]) -> Link:
    return Link(_KINDS[row[0]], *row[1:])


def _observation(row: Sequence[Any]) -> Observation:
    category, content, tags, context, line = row
    return Observation(category, content, tuple(tags), context, line)


_KINDS = {kind.value: kind for kind in LinkKind}
_PARTS: dict[str, tuple[Callable[[Any], tuple[Any, ...]], Callable[[Sequence[Any]], object]]] = {
    "headings": (_row(Heading), lambda row: Heading(*row)),
    "tags": (_row(Tag), lambda row: Tag(*row)),
    "links": (_row(Link), _link),
    "tasks": (_row(Task), lambda row: Task(*row)),
    "block_ids": (_row(BlockId), lambda row: BlockId(*row)),
    "observations": (_row(Observation), _observation),
    "relations": (_row(Relation), lambda row: Relation(*row)),
    "cards": (_row(Card), lambda row: Card(*row)),
}


def json_of(file: ReadFile) -> _Json:
    """Return a file as JSON, without its text."""
    stat, parsed = file.stat, file.parsed
    parts = {name: list(map(row, found)) for name, (row, _) in _PARTS.items() if (found := getattr(parsed, name))}
    problem = [parsed.problem.message, parsed.problem.line] if parsed.problem else None
    return [
        [stat.path, stat.mtime_ns, stat.size, stat.here],
        [file.hash, file.read_ns, file.is_indexed],
        [parsed.kind, parsed.title, parsed.properties, problem, parsed.aliases, parsed.incomplete],
        parts,
    ]


def file_of(message: _Json) -> ReadFile:
    """Return the file that :func:`json_of` said."""
    (path, mtime_ns, size, here), (digest, read_ns, is_indexed), said, parts = message
    kind, title, properties, problem, aliases, incomplete = said
    where = VaultPath(path)
    values: dict[str, Any] = {name: tuple(map(_PARTS[name][1], rows)) for name, rows in parts.items()}
    parsed = ParsedFile(
        path=where,
        kind=FileKind(kind),
        title=title,
        body="",
        properties=properties,
        problem=PropertyProblem(*problem) if problem else None,
        aliases=tuple(aliases),
        incomplete=incomplete,
        **values,
    )
    return ReadFile(FileStat(where, mtime_ns, size, here), digest, read_ns, is_indexed, parsed)
