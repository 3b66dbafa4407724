"""A real client and the real server in one process, on streams in memory, in either protocol era."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal

import anyio
import mcp_types as types
from mcp import Client, MCPError
from mcp.shared.memory import MessageStream, create_client_server_memory_streams

from sidecar.services.caller import Audience
from sidecar.services.services import Services
from sidecar.tools.desk import Desk
from sidecar.tools.families import tools_of
from sidecar.tools.server import Connection, Report, VaultServer
from tests.conftest import Served

Era = Literal["auto", "legacy"]
ERAS: tuple[Era, ...] = ("auto", "legacy")
PATIENCE = 10.0


@dataclass
class Heard:
    """What a client was told without having asked."""

    messages: list[Any] = field(default_factory=list)

    async def hear(self, message: Any) -> None:
        self.messages.append(message)

    @property
    def updated(self) -> list[str]:
        return [str(m.params.uri) for m in self.messages if isinstance(m, types.ResourceUpdatedNotification)]

    @property
    def lists(self) -> int:
        return sum(isinstance(m, types.ResourceListChangedNotification) for m in self.messages)


@asynccontextmanager
async def talking(
    served: Served,
    era: Era,
    *,
    audience: Audience = Audience.AGENT,
    heard: Heard | None = None,
    desk: Desk | None = None,
    server: VaultServer | None = None,
) -> AsyncIterator[Client]:
    """Connect a client to a served vault; it hears of changes too."""
    server, services = server or server_of(served), served.open().services
    connection = Connection(desk or Desk.tied_to(services), tools_of(), lambda _client, _http: "s1", audience)
    async with create_client_server_memory_streams() as (ours, theirs), anyio.create_task_group() as tasks:
        tasks.start_soon(server.changes)
        tasks.start_soon(server._serve, connection, *theirs)
        hear = heard.hear if heard else None
        async with Client(_streams(ours), mode=era, read_timeout_seconds=PATIENCE, message_handler=hear) as client:
            yield client
        tasks.cancel_scope.cancel()


def server_of(served: Served) -> VaultServer:
    server = VaultServer(_status, _ready)
    server.watch(served.open().services)
    return server


def run(play: Callable[[], Awaitable[None]]) -> None:
    anyio.run(play)


async def until(holds: Callable[[], object]) -> None:
    with anyio.fail_after(PATIENCE):
        while not holds():  # noqa: ASYNC110 - the condition is the test's own
            await anyio.sleep(0.02)


async def refused(work: Awaitable[object]) -> MCPError:
    """Wait for a request that must end in a protocol error; return that."""
    try:
        await work
    except MCPError as error:
        return error
    raise AssertionError("it was answered")


def _status(_services: Services) -> Mapping[str, Any]:
    return {}


async def _ready(_services: Services, _report: Report) -> None:
    return None


@asynccontextmanager
async def _streams(streams: MessageStream) -> AsyncIterator[MessageStream]:
    yield streams
