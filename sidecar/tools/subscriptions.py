"""Who wants to hear that something in a vault changed, and telling them; the same for every protocol version."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Hashable
from contextlib import suppress
from functools import partial

import anyio
from anyio.abc import TaskGroup

from sidecar.model.path import VaultPath
from sidecar.model.ports import Changed
from sidecar.services.caller import Audience, Caller
from sidecar.services.services import Services
from sidecar.services.watching import Subject, SubjectKind
from sidecar.tools.addresses import Address
from sidecar.tools.desk import Desk

__all__ = ["Subscriber", "Subscriptions", "Tell"]

Tell = Callable[[str | None], Awaitable[None]]
"""Sends a client the address of what changed, or ``None`` for the list of resources itself."""

_PAUSE = 0.3
"""Seconds in which changes are gathered."""
_LONGEST_PAUSE = 3.0
"""While files are still being indexed there is news all the time; it is told in pieces of this length."""
_LIST = Subject(SubjectKind.LIST)
_log = logging.getLogger(__name__)


class Subscriber:
    """One client that listens: for changes of the list, if ``lists``, and of the addresses it asked for."""

    def __init__(self, desk: Desk, caller: Caller, tell: Tell, *, lists: bool) -> None:
        self.caller = caller
        self.lists = lists
        self.watched: dict[str, tuple[str, Subject, Hashable]] = {}
        """By address as the client wrote it: the project's id, what is watched, and its last answer."""
        self._desk = desk
        self._tell = tell
        self._due: dict[str | None, None] = {}
        self._telling = False

    def reaches(self, vault: Services) -> bool:
        """Tell whether this client is served from that vault."""
        tied = self._desk.tied
        return tied is None or tied.project_id == vault.project_id

    def hand(self, news: str | None, tasks: TaskGroup) -> None:
        """Send news as soon as the client takes it; what it was not told yet is told once."""
        self._due[news] = None
        if not self._telling:
            self._telling = True
            tasks.start_soon(self._send)

    async def _send(self) -> None:
        try:
            while self._due:
                news = next(iter(self._due))
                del self._due[news]
                await self._tell(news)
        except Exception as error:  # noqa: BLE001 - a client that left must not end the telling of others
            _log.info("A client could not be told of a change: %s.", type(error).__name__)
        finally:
            self._telling = False


class Subscriptions:
    """Compares what subscribers watch with what it was, whenever files changed, and tells them.

    Everything but what a vault calls happens on the loop thread.
    """

    def __init__(self) -> None:
        self._vaults: dict[str, Services] = {}
        self._subscribers: set[Subscriber] = set()
        self._lists: dict[tuple[str, Audience], Hashable] = {}
        self._changed: dict[str, set[VaultPath]] = {}
        self._news = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    def watch(self, vault: Services) -> None:
        """Listen to a vault from now on; any thread may call."""
        self._vaults[vault.project_id] = vault
        vault.watched.subscribe(partial(self._heard, vault.project_id))

    def forget(self, project_id: str) -> None:
        """Ask a vault no more, since it closes; any thread may call."""
        self._vaults.pop(project_id, None)

    async def add(self, subscriber: Subscriber) -> None:
        """Begin to tell somebody."""
        others = [s for s in self._subscribers if s.lists and s.caller.audience is subscriber.caller.audience]
        self._subscribers.add(subscriber)
        for vault in tuple(self._vaults.values()):
            if subscriber.lists and subscriber.reaches(vault) and not any(other.reaches(vault) for other in others):
                answer = await vault.watched.answer(subscriber.caller, _LIST)
                self._lists[vault.project_id, subscriber.caller.audience] = answer

    def remove(self, subscriber: Subscriber) -> None:
        """Tell somebody no more."""
        self._subscribers.discard(subscriber)

    async def follow(self, subscriber: Subscriber, uri: str, address: Address, vault: Services) -> None:
        """Tell somebody also when the answer at an address changes."""
        answer = await vault.watched.answer(subscriber.caller, address.subject)
        subscriber.watched[uri] = (vault.project_id, address.subject, answer)

    async def run(self) -> None:
        """Tell of changes, until cancelled."""
        self._loop = asyncio.get_running_loop()
        try:
            async with anyio.create_task_group() as tasks:
                while True:
                    await self._news.wait()
                    self._news.clear()
                    await self._gather()
                    changed, self._changed = self._changed, {}
                    for project_id, paths in changed.items():
                        await self._look(project_id, paths, tasks)
        finally:
            self._loop = None

    async def _gather(self) -> None:
        waited = 0.0
        while not waited or (waited < _LONGEST_PAUSE and self._is_indexing()):
            await anyio.sleep(_PAUSE)
            waited += _PAUSE

    def _is_indexing(self) -> bool:
        vaults = (self._vaults.get(project_id) for project_id in self._changed)
        return any(vault.status.pending for vault in vaults if vault is not None)

    def _heard(self, project_id: str, event: Changed) -> None:
        """Pass an event to the loop; on the thread that wrote."""
        loop = self._loop
        if loop is not None and self._subscribers:
            with suppress(RuntimeError):  # the loop closed meanwhile
                loop.call_soon_threadsafe(self._note, project_id, event.paths)

    def _note(self, project_id: str, paths: tuple[VaultPath, ...]) -> None:
        self._changed.setdefault(project_id, set()).update(paths)
        self._news.set()

    async def _look(self, project_id: str, paths: set[VaultPath], tasks: TaskGroup) -> None:
        vault = self._vaults.get(project_id)
        try:
            if vault is not None:
                await self._compare(vault, paths, tasks)
        except Exception as error:  # noqa: BLE001 - a vault that closes must not end the telling of others
            _log.warning("Changes could not be told: %s.", type(error).__name__)

    async def _compare(self, vault: Services, paths: set[VaultPath], tasks: TaskGroup) -> None:
        listening = [s for s in tuple(self._subscribers) if s.reaches(vault)]
        if _LIST.may_differ(paths):
            for audience in {s.caller.audience for s in listening if s.lists}:
                hearers = [s for s in listening if s.lists and s.caller.audience is audience]
                answer = await vault.watched.answer(hearers[0].caller, _LIST)
                if self._lists.get((vault.project_id, audience)) != answer:
                    self._lists[vault.project_id, audience] = answer
                    for hearer in hearers:
                        hearer.hand(None, tasks)
        for subscriber in listening:
            await self._compare_watched(subscriber, vault, paths, tasks)

    async def _compare_watched(
        self, subscriber: Subscriber, vault: Services, paths: set[VaultPath], tasks: TaskGroup
    ) -> None:
        for uri, (project_id, subject, before) in tuple(subscriber.watched.items()):
            if project_id == vault.project_id and subject.may_differ(paths):
                answer = await vault.watched.answer(subscriber.caller, subject)
                if answer != before and uri in subscriber.watched:
                    subscriber.watched[uri] = (project_id, subject, answer)
                    subscriber.hand(uri, tasks)
