"""Results in the fixed shapes that search connectors expect: ``search`` and ``fetch``."""

from functools import singledispatch
from typing import Any
from urllib.parse import quote

from sidecar.model.path import VaultPath
from sidecar.services.search import SearchResults

__all__ = ["document_json", "url_of"]


@singledispatch
def document_json(result: object, vault: str) -> dict[str, Any]:
    """Return the JSON object of a result; a note's id is its path, its url opens it in Obsidian's ``vault``."""
    raise TypeError(f"no document view of {type(result).__name__} in {vault}")


@document_json.register
def _(r: SearchResults, vault: str) -> dict[str, Any]:
    results = [{"id": f.path, "title": f.title, "url": url_of(f.path, vault)} for f in r.results]
    return {"results": results, "total_count": r.total, "query": r.query}


def url_of(path: VaultPath, vault: str) -> str:
    """Return the URL that opens a file in Obsidian."""
    return f"obsidian://open?vault={quote(vault, safe='')}&file={quote(path.without_md, safe='')}"
