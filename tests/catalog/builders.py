"""Parsed files and catalogs in one line, for the tests of this folder."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from sidecar.catalog.resolve import Names, name_index
from sidecar.catalog.snapshot import Snapshot
from sidecar.catalog.store import Catalog
from sidecar.model.file import FileStat
from sidecar.model.note import Json, Link, LinkKind, ParsedFile, Tag, kind_of
from sidecar.model.path import VaultPath

_WIKILINK = re.compile(r"\[\[([^#|\]]*)(#[^|\]]*)?(?:\|([^\]]*))?\]\]")


def link(text: str, kind: LinkKind = LinkKind.WIKILINK, line: int = 1) -> Link:
    match = _WIKILINK.fullmatch(text)
    assert match, text
    return Link(kind, text, match[1], match[2] or "", match[3], line, 0)


def file(
    path: str,
    *links: str,
    tags: Iterable[str] = (),
    properties: Mapping[str, Json] | None = None,
    **parts: Any,
) -> ParsedFile:
    at = VaultPath(path)
    return ParsedFile(
        at,
        kind_of(at),
        parts.pop("title", at.basename),
        parts.pop("body", ""),
        properties or {},
        tags=tuple(Tag(name, n + 1) for n, name in enumerate(tags)),
        links=tuple(link(text) for text in links) or parts.pop("links", ()),
        **parts,
    )


def fill(catalog: Catalog, *files: ParsedFile) -> Snapshot:
    for parsed in files:
        catalog.put(parsed, FileStat(parsed.path, 1, len(parsed.body)), "0" * 64)
    return catalog.commit()


def names(*paths: str) -> Names:
    return name_index(VaultPath(path) for path in paths)
