"""What a map remembers of itself, under one key at the root of its canvas.

The key is none of JSON Canvas, whose readers keep what they do not know (J5). It stands in the file and not in the
state folder, so that undo, sync, copies and renames carry it along with the cards that it is about. A canvas that lost
it is one whose cards are all a person's: nothing of it is moved or taken away.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Final

from sidecar.canvas.layout.arrange import Layout
from sidecar.canvas.model import Canvas
from sidecar.model.note import Json

__all__ = ["KEY", "MapRecord", "MapWish", "digest_of", "id_of", "record_of", "with_record"]

KEY: Final = "vault-sidecar"
_MAP: Final = "map"
_CARDS: Final = 40
"""On a map for which no number is given."""
_UNCOUNTED: Final = frozenset({"file", "fromSide", "toSide"})
"""What changes without a person: a renamed note, a side that follows its cards."""


@dataclass(frozen=True, slots=True)
class MapWish:
    """What a map is asked to show, and how."""

    source: tuple[str, ...]
    alone: bool = True
    """Whether the source was given alone, not as a list of notes."""
    layout: str = Layout.AUTO.value
    depth: int = 1
    limit: int = _CARDS
    max_edges: int | None = None
    group_by: str | None = None
    color_by: str | None = None


@dataclass(frozen=True, slots=True)
class MapRecord:
    """What was made, and how it looked then."""

    wish: MapWish
    made: Mapping[str, str] = field(default_factory=dict)
    """For the id of each card, group and line its digest; ``""`` for one that a person has changed since."""
    gone: tuple[str, ...] = ()
    """Ids of what a person took away; it does not come back."""
    colors: Mapping[str, str] = field(default_factory=dict)


def id_of(kind: str, *names: str) -> str:
    """Return the id of a card, group or line of a map: the same in each run, whatever the canvas is called."""
    return hashlib.sha256("\0".join(["map", kind, *names]).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def digest_of(part: Mapping[str, Json]) -> str:
    """Return a digest of what a person can change of a card, group or line."""
    counted = {key: value for key, value in part.items() if key not in _UNCOUNTED}
    return hashlib.sha256(json.dumps(counted, sort_keys=True).encode()).hexdigest()[:8]


def record_of(canvas: Canvas) -> MapRecord | None:
    """Return what a canvas remembers; ``None`` when it was never a map, or nobody can read it."""
    held = canvas.extras.get(KEY)
    said = held.get(_MAP) if isinstance(held, dict) else None
    if not isinstance(said, dict):
        return None
    wish = _wish(said)
    if wish is None:
        return None
    return MapRecord(wish, _texts(said.get("made")), _list(said.get("gone")), _texts(said.get("colors")))


def _wish(said: Mapping[str, Json]) -> MapWish | None:
    source, layout = _list(said.get("source")), said.get("layout")
    if not source or layout not in [one.value for one in Layout]:
        return None
    return MapWish(
        source,
        alone=said.get("alone") is not False,
        layout=str(layout),
        depth=_count(said.get("depth")) or 1,
        limit=_count(said.get("limit")) or _CARDS,
        max_edges=_count(said.get("max_edges")),
        group_by=_text(said.get("group_by")),
        color_by=_text(said.get("color_by")),
    )


def _count(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) and value else None


def with_record(canvas: Canvas, record: MapRecord) -> Canvas:
    """Return the canvas with what it is to remember; other things under the key stay."""
    held = canvas.extras.get(KEY)
    wish: dict[str, Json] = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(record.wish).items()
        if value is not None and (name, value) != ("alone", True)
    }
    said: dict[str, Json] = {**wish, "made": dict(sorted(record.made.items()))}
    if record.gone:
        said["gone"] = list(record.gone)
    if record.colors:
        said["colors"] = dict(record.colors)
    old = held if isinstance(held, dict) else {}
    return replace(canvas, extras={**canvas.extras, KEY: {**old, _MAP: said}})


def _texts(value: Json) -> dict[str, str]:
    return {key: one for key, one in value.items() if isinstance(one, str)} if isinstance(value, dict) else {}


def _list(value: Json) -> tuple[str, ...]:
    held: Sequence[Json] = value if isinstance(value, list) else ()
    return tuple(one for one in held if isinstance(one, str))
