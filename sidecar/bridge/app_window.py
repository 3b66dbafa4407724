"""The app as the services see it: what is open there, and a place to be shown."""

from dataclasses import asdict

from sidecar.bridge.context import AppContexts
from sidecar.bridge.polls import Polls
from sidecar.bridge.requests import Outcome, Requests
from sidecar.errors import Unavailable
from sidecar.services.obsidian import AppContext, AppPlace, Pane

__all__ = ["AppWindow"]

_ABSENT = "Start Obsidian with this vault open and the plugin Vault Sidecar enabled."


class AppWindow:
    """Implements the services' ``App`` over the companion plugin."""

    def __init__(self, requests: Requests, polls: Polls, contexts: AppContexts) -> None:
        self._requests = requests
        self._polls = polls
        self._contexts = contexts

    @property
    def is_connected(self) -> bool:
        """Whether the plugin waits for events."""
        return self._polls.newest is not None

    def context(self) -> AppContext | None:
        """Return what is open, as last told; ``None`` when nobody told it, or a minute after the app went away."""
        return self._contexts.newest

    def open(self, place: AppPlace, pane: Pane) -> None:
        """Show a place in the app, and wait until it is shown.

        Raises:
            Unavailable: when no app is connected, it does not answer, or cannot show it.

        """
        client = self._polls.newest
        if client is None:
            raise Unavailable("Obsidian is not connected, so nothing can be opened in it.", hint=_ABSENT)
        request = self._requests.ask("open_request", {**asdict(place), "pane": pane.value}, client)
        answer = request.wait(self._requests.patience, lambda: False)
        if answer.outcome is Outcome.DONE:
            return
        if answer.outcome in (Outcome.UNCLAIMED, Outcome.SILENT):
            raise Unavailable(f"Obsidian did not answer, so '{place.path}' may not be open.", hint="Try again.")
        raise Unavailable(f"Obsidian could not open '{place.path}'.", hint="A file made just now may need a moment.")
