"""``vault-sidecar search``: search from the command line, with the results in a form for people."""

import json
from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer

from sidecar.cli.options import AsJson, VaultArgument, vault_of
from sidecar.cli.session import print_reply, session
from sidecar.cli.terminal import printable

__all__ = ["run"]


def run(
    vault: VaultArgument,
    query: Annotated[str, typer.Argument(help="What to find.")],
    limit: Annotated[int, typer.Option(help="Results to show.", min=1, max=100)] = 10,
    as_json: AsJson = False,
) -> None:
    """Search a vault."""
    with session(vault_of(vault)) as opened:
        asked = {"query": query, "page_size": limit}
        reply = opened.call("search_notes", {**asked, "output_format": "json"})
        if as_json:
            print_reply(reply, as_json=True)
        elif reply.is_error:
            print_reply(opened.call("search_notes", asked))
        else:
            typer.echo("\n".join(_lines(json.loads("".join(reply.blocks)))))


def _lines(found: Mapping[str, Any]) -> Iterator[str]:
    for word, better in found["corrected"].items():
        yield f"Nothing matches '{word}'; searched '{better}'."
    if found["relaxed"]:
        yield "No file has all these words; these have some of them."
    if found["incomplete"]:
        yield f"{found['unchecked']} files could not be looked at in time."
    yield from found.get("notices", ())
    yield f"{found['total']} found" + (f", the first {len(found['results'])}:" if found["has_more"] else "")
    for row in found["results"]:
        yield f"\n{typer.style(_shown(row['title']), bold=True)}  {_shown(row['file_path'])}"
        if row["content"]:
            line = f"{row['line']}: " if row["line"] else ""
            yield f"  {line}{_shown(row['content'])}"


def _shown(text: str) -> str:
    return printable(" ".join(text.split()))
