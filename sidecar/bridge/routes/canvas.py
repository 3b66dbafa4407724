"""``/v1/canvas/refresh_map``: bring a map of notes up to date, as it was asked for when it was made."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from sidecar.bridge.route import Asked, BridgeCall, post

__all__ = ["ROUTES"]


class MapBody(Asked):
    """The canvas that is a map."""

    path: Annotated[str, Field(min_length=1, max_length=1_000)]


@dataclass(frozen=True, slots=True)
class MapTold:
    """What became of the map; no ``change`` when it was up to date."""

    path: str
    change: str | None
    cards: int
    lines: int
    added: list[str]
    removed: list[str]
    kept: list[str]


@post("canvas/refresh_map", MapBody, MapTold, fails=("not_found", "ambiguous", "invalid", "refused", "stale"))
async def refresh_map(call: BridgeCall, body: MapBody) -> MapTold:
    """Bring a map up to date: its own cards come and go, what the person placed or changed stays so."""
    done = await call.services.canvases.maps.refresh(call.caller, path=body.path)
    written = done.written
    return MapTold(
        written.path,
        written.change,
        done.cards,
        done.lines,
        list(done.added),
        list(done.removed),
        list(done.kept),
    )


ROUTES = (refresh_map,)
