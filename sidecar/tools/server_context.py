"""What every handler of the MCP server knows: the connection, who asks, and how errors go out."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from sidecar.errors import NotFound, SidecarError, Unavailable
from sidecar.model.change import Author
from sidecar.services.caller import Audience, Caller
from sidecar.tools.desk import Desk
from sidecar.tools.tool import Tool

__all__ = ["RETRY", "Connection", "Context", "DeskOf", "caller_of", "is_modern", "protocol_error"]

RETRY = -32_000
"""JSON-RPC's code for a server that cannot answer just now."""
_OLD_NOT_FOUND = -32_002
"""What a missing resource was called before 2026-07-28."""


@dataclass(frozen=True, slots=True)
class Connection:
    """What one client is served: one connection of the local socket, or all that come over HTTP.

    ``session`` names the group of changes a call belongs to, by the client's name and its HTTP session, if any.
    """

    desk: Desk
    tools: Mapping[str, Tool]
    session: Callable[[str, str | None], str]
    audience: Audience = Audience.AGENT


Context = ServerRequestContext[Connection, Any]
DeskOf = Callable[[Context], Awaitable[Desk]]
"""Gives the desk of a request whose vaults wait for their first index."""


def caller_of(ctx: Context) -> Caller:
    """Tell who sent a request."""
    connection, client = ctx.lifespan_context, ctx.session.client_params
    name = client.client_info.name if client else "unnamed client"
    session = connection.session(name, ctx.request.headers.get("mcp-session-id") if ctx.request else None)
    return Caller(Author(name, session), connection.audience)


def is_modern(ctx: Context) -> bool:
    """Tell whether a request speaks a protocol version without a handshake, 2026-07-28 or later."""
    return ctx.protocol_version in MODERN_PROTOCOL_VERSIONS


def protocol_error(ctx: Context, error: SidecarError, uri: str | None = None) -> MCPError:
    """Word an error of something that is no tool; ``uri`` is the resource it is about."""
    message = " ".join([error.message, *([error.hint] if error.hint else [])])
    if isinstance(error, Unavailable):
        return MCPError(RETRY, message, {"retryable": True})
    if isinstance(error, NotFound) and uri is not None and not is_modern(ctx):
        return MCPError(_OLD_NOT_FOUND, message, {"uri": uri})
    return MCPError(types.INVALID_PARAMS, message, {"uri": uri} if uri is not None else None)
