"""A map as it ought to be, before it is drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sidecar.canvas.layout.geometry import Size
from sidecar.model.path import VaultPath
from sidecar.services.canvas_lines import MapLine
from sidecar.services.canvas_record import MapWish

__all__ = ["WantedCard", "WantedMap"]


@dataclass(frozen=True, slots=True)
class WantedCard:
    """A note that is to be on the map."""

    path: VaultPath
    size: Size
    color: str | None = None
    group: str | None = None
    moment: str | None = None


@dataclass(frozen=True, slots=True)
class WantedMap:
    """A map as it ought to be, without places."""

    wish: MapWish
    cards: Sequence[WantedCard]
    lines: Sequence[MapLine]
    legend: str | None = None
    colors: Mapping[str, str] = field(default_factory=dict)
