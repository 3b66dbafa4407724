"""``POST /v1/context``: what is open and selected in the app."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from sidecar.bridge.route import WHOLE, Asked, BridgeCall, post
from sidecar.errors import Refused
from sidecar.model.path import VaultPath
from sidecar.services.obsidian import AppContext, Selection

__all__ = ["ROUTES"]

_Id = Annotated[str, Field(min_length=1, max_length=100)]
_Path = Annotated[str, Field(max_length=4096)]
_Paths = Annotated[list[_Path], Field(max_length=2_000)]
_Line = Annotated[int, Field(ge=1, le=2**31), WHOLE]


class SelectionBody(Asked):
    """Selected text; lines count from 1."""

    path: _Path
    text: str
    line_from: _Line
    line_to: _Line


class ContextBody(Asked):
    """What one client sees in one of its windows; it replaces what it said before."""

    client_id: _Id
    window_id: _Id
    active_file: _Path | None
    selection: SelectionBody | None
    open_files: _Paths
    unsaved: _Paths


@dataclass(frozen=True, slots=True)
class Heard:
    """It was taken in; there is nothing to say."""


@post("context", ContextBody, Heard)
async def context(call: BridgeCall, body: ContextBody) -> Heard:
    """Take in what is open, selected and unsaved in the app; it is forgotten a minute after the client's last poll."""
    call.vault.contexts.tell(
        body.client_id,
        AppContext(
            next(_paths([body.active_file] if body.active_file else []), None),
            _selection(body.selection),
            tuple(_paths(body.open_files)),
            tuple(_paths(body.unsaved)),
        ),
    )
    return Heard()


def _selection(said: SelectionBody | None) -> Selection | None:
    path = next(_paths([said.path]), None) if said is not None else None
    return Selection(path, said.text, said.line_from, said.line_to) if said is not None and path else None


def _paths(said: Iterable[str]) -> Iterator[VaultPath]:
    """Go through paths as the vault writes them; files that agents never touch are passed over."""
    for text in said:
        try:
            yield VaultPath.of(text)
        except Refused:
            continue


ROUTES = (context,)
