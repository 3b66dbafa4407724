"""Errors as HTTP: one status a category, one body for all."""

from typing import Any

from sidecar.errors import NotFound, SidecarError, Stale
from sidecar.journal.undo import UndoConflict

__all__ = ["STATUSES", "Gone", "UnknownVault", "category_of", "error_body", "status_of"]

STATUSES = {
    "invalid": 400,
    "refused": 403,
    "not_found": 404,
    "unknown_vault": 404,
    "stale": 409,
    "ambiguous": 409,
    "conflict": 409,
    "gone": 410,
    "too_large": 413,
    "unsupported": 415,
    "unavailable": 503,
}
_FAULT = 500


class UnknownVault(NotFound):
    """The vault a request names is not served by this process."""

    category = "unknown_vault"


class Gone(Stale):
    """What a request is about is over: withdrawn, answered or meant for another client."""

    category = "gone"


def category_of(error: SidecarError) -> str:
    """Return the word under which the plugin knows an error."""
    return "conflict" if isinstance(error, UndoConflict) else error.category


def status_of(category: str) -> int:
    """Return the HTTP status of a category; what has none is our own fault."""
    return STATUSES.get(category, _FAULT)


def error_body(error: SidecarError) -> dict[str, Any]:
    """Return the JSON object that tells of an error."""
    return {
        "error": category_of(error),
        "message": error.message,
        "hint": error.hint,
        "candidates": list(error.candidates),
        "data": dict(error.data),
    }
