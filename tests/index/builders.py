"""Files, scopes and indexes in one line each."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from sidecar.index.query import parse_query
from sidecar.index.whoosh_index import WhooshIndex
from sidecar.model.note import Heading, Json, ParsedFile, Tag, kind_of
from sidecar.model.path import VaultPath
from sidecar.model.search import HasTask, Leaf, OneOf, PathHas, PropertyIs, SearchFilter, SearchRequest, TagIs

__all__ = ["FakeScope", "filled", "found", "note"]


def note(
    path: str,
    body: str = "",
    *,
    title: str | None = None,
    aliases: Iterable[str] = (),
    headings: Iterable[str] = (),
    tags: Iterable[str] = (),
    properties: Mapping[str, Json] | None = None,
) -> ParsedFile:
    where = VaultPath(path)
    return ParsedFile(
        path=where,
        kind=kind_of(where),
        title=where.basename if title is None else title,
        body=body,
        properties=properties or {},
        aliases=tuple(aliases),
        headings=tuple(Heading(1, text, n, 0, 0) for n, text in enumerate(headings, 1)),
        tags=tuple(Tag(name, 1) for name in tags),
    )


class FakeScope:
    """Answers conditions from the files themselves; everything may be found unless ``only`` says what."""

    def __init__(self, files: Iterable[ParsedFile] = (), only: Iterable[str] | None = None) -> None:
        self._files = tuple(files)
        self._only = None if only is None else frozenset(VaultPath(path) for path in only)

    def matching(self, leaf: Leaf) -> frozenset[VaultPath]:
        return frozenset(file.path for file in self._files if self._meets(file, leaf))

    def allowed(self, conditions: SearchFilter) -> frozenset[VaultPath] | None:
        assert conditions == SearchFilter()
        return self._only

    @staticmethod
    def _meets(file: ParsedFile, leaf: Leaf) -> bool:
        match leaf:
            case TagIs(tag):
                return any(f"{t.name}/".startswith(f"{tag}/") for t in file.tags)
            case PathHas(text):
                return text in file.path
            case PropertyIs(name, value):
                return str(file.properties.get(name)) == str(value)
            case HasTask():
                return bool(file.tasks)
            case OneOf(paths):
                return file.path in paths


def filled(folder: Path, files: Iterable[ParsedFile]) -> WhooshIndex:
    index = WhooshIndex(folder)
    for file in files:
        index.put(file)
    index.commit()
    return index


def found(index: WhooshIndex, query: str, scope: FakeScope | None = None, *, titles_only: bool = False) -> list[str]:
    """Return the paths a typed query finds, best first; all of them, and as many as the total says."""
    hits = index.search(
        SearchRequest(parse_query(query, ("status",)), titles_only=titles_only, limit=10_000), scope or FakeScope()
    )
    assert hits.total == len(hits.hits)
    return [hit.path for hit in hits.hits]
