"""A small MCP client for our own command line: calls tools in the process that serves."""

import json
import socket
from types import TracebackType
from typing import Any, Self

from sidecar import __version__
from sidecar.errors import Unavailable

__all__ = ["Client"]

_PROTOCOL = "2025-11-25"


class Client:
    """Speaks MCP over an attached connection, one request at a time."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._lines = connection.makefile("rb")
        self._number = 0
        self.request(
            "initialize",
            {
                "protocolVersion": _PROTOCOL,
                "capabilities": {},
                "clientInfo": {"name": "vault-sidecar", "version": __version__},
            },
        )
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request and wait for its result.

        Raises:
            Unavailable: when the serving process ends or answers with a protocol error.

        """
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        for line in self._lines:
            message = json.loads(line)
            if message.get("id") != self._number:
                continue
            if "error" in message:
                raise Unavailable(f"The serving process answered: {message['error'].get('message')}.")
            result: dict[str, Any] = message["result"]
            return result
        raise Unavailable("The serving process ended.", hint="Try again.")

    def _send(self, message: dict[str, Any]) -> None:
        self._connection.sendall(json.dumps(message).encode() + b"\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._lines.close()
        self._connection.close()
