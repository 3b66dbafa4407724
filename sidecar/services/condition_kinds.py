"""What answers a condition of a search: the index, the catalog or the text of files; and which is asked first."""

from sidecar.index.scan import widened
from sidecar.model.search import (
    And,
    Everything,
    Not,
    Or,
    Phrase,
    Place,
    PropertyHas,
    PropertyIs,
    Query,
    Term,
    Within,
)

__all__ = ["NAMES", "cost_of", "is_for_the_index", "reads_text"]

NAMES = (Place.NAME, Place.PATH, Place.TAG)
"""Places that the catalog knows."""


def reads_text(query: Query) -> bool:
    """Tell whether the text of files must be looked at to answer a query."""
    match query:
        case And(parts) | Or(parts):
            return any(map(reads_text, parts))
        case Not(part):
            return reads_text(part)
        case _:
            return isinstance(query, Within) and query.place not in NAMES


def is_for_the_index(query: Query) -> bool:
    """Tell whether words alone answer a query."""
    match query:
        case And(parts) | Or(parts):
            return all(map(is_for_the_index, parts))
        case Not(part):
            return is_for_the_index(part)
        case _:
            return isinstance(query, Term | Phrase) and not query.case


def cost_of(query: Query) -> int:
    """Return how late a condition is best answered: what the others leave over is less work."""
    match query:
        case And(parts) | Or(parts):
            return max(map(cost_of, parts))
        case Not(part):
            return cost_of(part)
        case PropertyHas() | PropertyIs():
            return 1
        case Within(place, part):
            return 1 if place in NAMES else 2 if widened(part) != Everything() else 3
        case _:
            return 0
