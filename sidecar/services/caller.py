"""Who asks: an agent through a client, or the person at the keyboard."""

from dataclasses import dataclass
from enum import StrEnum

from sidecar.model.change import Author

__all__ = ["Audience", "Caller"]


class Audience(StrEnum):
    """Whose eyes: agents never see what the user denied; the person sees all."""

    AGENT = "agent"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Caller:
    """One connection's identity, written into the journal."""

    author: Author
    audience: Audience = Audience.AGENT
