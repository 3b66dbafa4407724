"""The one root of all errors and its few categories.

An error says in ``message`` what happened, in the words and with the name the user gave; ``hint`` is the next step.
Facts travel as data (``candidates``, ``data``): nothing decides by reading a message.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

__all__ = ["Ambiguous", "Invalid", "NotFound", "Refused", "SidecarError", "Stale", "Unavailable"]


class SidecarError(Exception):
    """Something the user or agent should read; subclasses are the categories that adapters map to status codes."""

    category: ClassVar[str] = "error"

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        candidates: Sequence[str] = (),
        data: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.candidates = tuple(candidates)
        self.data: Mapping[str, object] = dict(data or {})


class NotFound(SidecarError):  # noqa: N818 - categories are nouns of the contract, not Python's suffix
    """What was named is not there; ``candidates`` holds the nearest matches."""

    category = "not_found"


class Ambiguous(SidecarError):  # noqa: N818
    """The name fits more than one thing; ``candidates`` lists them all."""

    category = "ambiguous"


class Invalid(SidecarError):  # noqa: N818
    """The request itself cannot be understood or carried out as it stands."""

    category = "invalid"


class Refused(SidecarError):  # noqa: N818
    """The request is clear but would harm the vault or break a rule of the user's."""

    category = "refused"


class Stale(SidecarError):  # noqa: N818
    """The file is no longer what the caller decided on."""

    category = "stale"


class Unavailable(SidecarError):  # noqa: N818
    """A file, lock or service cannot be reached just now; trying again may help."""

    category = "unavailable"
