"""Carry bytes between standard input and output and a socket, unread: every MCP feature passes through."""

import os
import socket
import sys
import threading

__all__ = ["pump"]

_CHUNK = 65_536


def pump(connection: socket.socket) -> None:
    """Carry bytes both ways until the other side closes; a closed input lets pending answers drain first."""
    threading.Thread(target=_upstream, args=(connection,), daemon=True).start()
    out = sys.stdout.fileno()
    while chunk := connection.recv(_CHUNK):
        view = memoryview(chunk)
        while view:
            view = view[os.write(out, view) :]


def _upstream(connection: socket.socket) -> None:
    source = sys.stdin.fileno()
    while chunk := os.read(source, _CHUNK):
        connection.sendall(chunk)
    connection.shutdown(socket.SHUT_WR)
