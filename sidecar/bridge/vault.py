"""What the bridge knows of one vault."""

from dataclasses import dataclass

from sidecar.bridge.context import AppContexts
from sidecar.bridge.events import EventLog
from sidecar.bridge.polls import Polls
from sidecar.bridge.requests import Requests
from sidecar.services.services import Services

__all__ = ["BridgeVault"]


@dataclass(frozen=True, slots=True)
class BridgeVault:
    """A vault's services, its events, the plugins that wait for them, what these see, and what is asked of them."""

    services: Services
    events: EventLog
    polls: Polls
    contexts: AppContexts
    requests: Requests
