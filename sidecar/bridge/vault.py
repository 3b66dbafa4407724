"""What the bridge knows of one vault."""

from dataclasses import dataclass, field

from sidecar.bridge.context import AppContexts
from sidecar.bridge.events import EventLog
from sidecar.bridge.polls import Polls
from sidecar.bridge.requests import Requests
from sidecar.services.services import Services

__all__ = ["BridgeVault", "Word"]


@dataclass(slots=True)
class Word:
    """Whether somebody was told of work, so that its end is owed though it was too short to tell."""

    owed: bool = False


@dataclass(frozen=True, slots=True)
class BridgeVault:
    """A vault's services, its events, the plugins that wait for them, what these see, and what is asked of them."""

    services: Services
    events: EventLog
    polls: Polls
    contexts: AppContexts
    requests: Requests
    word: Word = field(default_factory=Word)
