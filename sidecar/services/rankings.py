"""Rankings that were handed out in part, and the cursors that ask for the rest of them."""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field

from sidecar.errors import Invalid
from sidecar.model.note import Observation, Relation
from sidecar.model.path import VaultPath
from sidecar.model.search import Passage, Query
from sidecar.services.asked import SearchType

__all__ = ["KEPT", "Cursor", "Ranked", "Ranking", "Rankings"]

KEPT = 200
"""Rows of a ranking that are kept for further pages."""
_RANKINGS = 32
_CURSOR = re.compile(r"([0-9a-f]{12})([0-9a-f]{12})-([0-9]{1,9})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Ranked:
    """One row of a ranking: a file, or the ``fact`` in it that was found.

    ``passage`` is what its meaning was found by; no ``score`` where only conditions were given.
    """

    path: VaultPath
    score: float = 0.0
    fact: Observation | Relation | None = None
    passage: Passage | None = None


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a search came to: the best rows, how many there are in all, and how the query was understood."""

    query: Query
    rows: tuple[Ranked, ...]
    total: int
    used: SearchType = SearchType.TEXT
    unmeant: str | None = None
    """Why it was not searched by meaning, though that was asked for."""
    relaxed: bool = False
    corrected: Mapping[str, str] = field(default_factory=dict)
    unchecked: int = 0


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a page ended: of which search, in which state of the vault, behind how many hits."""

    search: str
    state: str
    offset: int

    @classmethod
    def read(cls, text: str, search: str) -> "Cursor":
        """Read a cursor that goes with this search.

        Raises:
            Invalid: when it is none, or belongs to another search.

        """
        found = _CURSOR.fullmatch(text.strip())
        if found is None or found[1] != search:
            raise Invalid(
                "The cursor belongs to another search." if found else f"'{text}' is not a cursor.",
                hint="Repeat the call that gave it, changing nothing but the cursor.",
            )
        return cls(search, found[2], int(found[3]))

    def __str__(self) -> str:
        return f"{self.search}{self.state}-{self.offset}"


class Rankings:
    """The last rankings, so that further pages fit the first though the vault changes; only the loop's thread asks."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, str], Ranking] = OrderedDict()

    @staticmethod
    def name_of(*said: object) -> str:
        """Return a short name for what makes a search, or the state of a vault, what it is, without telling it."""
        return hashlib.sha256(repr(said).encode("utf-8", "surrogatepass")).hexdigest()[:12]

    def keep(self, search: str, state: str, ranking: Ranking) -> None:
        """Keep a ranking, and forget the one that was not used for longest."""
        self._kept[search, state] = ranking
        self._kept.move_to_end((search, state))
        while len(self._kept) > _RANKINGS:
            self._kept.popitem(last=False)

    def of(self, cursor: Cursor) -> Ranking | None:
        """Return the ranking of which a cursor wants more, unless it is forgotten or ends there."""
        ranking = self._kept.get((cursor.search, cursor.state))
        return ranking if ranking and cursor.offset < len(ranking.rows) else None
