"""One MCP client over a stream of bytes: a message a line, both ways."""

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import mcp_types as types
from anyio.abc import ByteStream
from mcp.shared._context_streams import create_context_streams
from mcp.shared.message import SessionMessage

__all__ = ["MAX_MESSAGE", "STEP", "serve_lines"]

MAX_MESSAGE = 64 * 1024 * 1024
STEP = 0.02
_LAST_ANSWERS = 5.0
"""Seconds in which a client that sends nothing more still gets its answers."""


async def serve_lines(stream: ByteStream, received: bytes, serve: Callable[[Any, Any], Awaitable[None]]) -> None:
    """Let ``serve`` talk with a client until it closes; ``received`` are bytes that were read before.

    A client that only closed its sending side gets the answers it is still owed.
    """
    to_server, incoming = create_context_streams[SessionMessage | Exception](0)
    outgoing, to_client = create_context_streams[SessionMessage](0)
    owed: set[types.RequestId] = set()

    async def read() -> None:
        buffer = bytearray(received)
        async with to_server:
            while len(buffer) <= MAX_MESSAGE:
                while (end := buffer.find(b"\n")) >= 0:
                    line = bytes(buffer[:end])
                    del buffer[: end + 1]
                    if line.strip():
                        await to_server.send(_noted(_message(line), owed))
                try:
                    buffer += await stream.receive()
                except anyio.EndOfStream:
                    with anyio.move_on_after(_LAST_ANSWERS):
                        while owed:  # noqa: ASYNC110 - once, at the end
                            await anyio.sleep(STEP)
                    return
                except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                    return

    async def write() -> None:
        async with to_client:
            async for item in to_client:
                data = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                try:
                    await stream.send(data.encode() + b"\n")
                except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                    owed.clear()
                    return
                if isinstance(item.message, types.JSONRPCResponse | types.JSONRPCError):
                    owed.discard(item.message.id)

    async with stream, anyio.create_task_group() as tasks:
        tasks.start_soon(read)
        tasks.start_soon(write)
        await serve(incoming, outgoing)
        tasks.cancel_scope.cancel()


def _noted(message: SessionMessage | Exception, owed: set[types.RequestId]) -> SessionMessage | Exception:
    """Take note of a request that will be answered; a subscription to events never is."""
    request = message.message if isinstance(message, SessionMessage) else None
    if isinstance(request, types.JSONRPCRequest) and request.method != "subscriptions/listen":
        owed.add(request.id)
    return message


def _message(line: bytes) -> SessionMessage | Exception:
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error
