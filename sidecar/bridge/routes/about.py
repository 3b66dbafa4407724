"""What the person may look up: the log, the way an AI client is connected, and the access rules."""

from dataclasses import dataclass
from typing import Annotated

import anyio
from pydantic import Field

from sidecar.bridge.daemon import ConnectionSettings
from sidecar.bridge.route import Asked, BridgeCall, Nothing, get

__all__ = ["ROUTES"]


class LogQuery(Asked):
    """How many lines."""

    lines: Annotated[int, Field(ge=1, le=1000)] = 200


@dataclass(frozen=True, slots=True)
class LogTold:
    """The last lines of the daemon's log, which holds no note text and no tokens."""

    lines: list[str]


@dataclass(frozen=True, slots=True)
class AccessTold:
    """Patterns of ``config.toml``, and those of ``.mcpignore``."""

    deny: list[str]
    read_only: list[str]
    ask: list[str]
    mcpignore: list[str]


@get("log", LogQuery, LogTold)
async def log(call: BridgeCall, query: LogQuery) -> LogTold:
    """Return the end of the daemon's log."""
    return LogTold(list(await anyio.to_thread.run_sync(call.daemon.log_tail, query.lines)))


@get("connection", Nothing, ConnectionSettings)
async def connection(call: BridgeCall, _query: Nothing) -> ConnectionSettings:
    """Tell how an AI client is connected to this vault; no secret is among it."""
    return call.daemon.connection(call.vault)


@get("access", Nothing, AccessTold)
async def access(call: BridgeCall, _query: Nothing) -> AccessTold:
    """Return the rules on what agents may see and change."""
    upkeep = call.services.upkeep
    rules = upkeep.access.model_dump()
    named = {name: list(rules.get(name, ())) for name in ("deny", "read_only", "ask")}
    return AccessTold(**named, mcpignore=list(await anyio.to_thread.run_sync(upkeep.patterns_of_vault)))


ROUTES = (log, connection, access)
