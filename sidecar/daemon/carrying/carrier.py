"""Carries messages between standard input and output and a daemon, and outlives it."""

import contextlib
import json
import os
import socket
import threading
import time
from collections.abc import Callable

from sidecar.daemon.carrying.lines import answered, failure, lines, parsed
from sidecar.daemon.carrying.starting import Unreachable

__all__ = ["Carrier"]

_CHUNK = 65_536
_LOOK_AGAIN = 1.0


class Carrier:
    """Carries messages, a line each, both ways; goes on with the next daemon when one ends.

    What a new daemon must know is told again: a legacy client's ``initialize`` and its resource subscriptions, whose
    second answers are swallowed. Calls that were under way are answered with an error, never sent twice.
    ``link`` gives a connection; it may be asked not to start a daemon for it.
    """

    def __init__(self, link: Callable[[bool], socket.socket | None]) -> None:
        self._link = link
        self._changing = threading.Lock()
        self._printing = threading.Lock()
        self._connection: socket.socket | None = None
        self._readers: list[threading.Thread] = []
        self._handshake: list[bytes] = []
        self._subscriptions: dict[str, bytes] = {}
        self._waiting: dict[str, str] = {}
        self._swallow: set[str] = set()
        self._over = False
        self._reason = ""

    def run(self) -> None:
        """Carry until standard input ends and the last answers are through.

        Raises:
            Unreachable: when there is no daemon to begin with.

        """
        self._use(self._link(True))
        for line in lines(lambda: os.read(0, _CHUNK)):
            self._from_client(line if line.endswith(b"\n") else line + b"\n")
        with self._changing:
            self._over = True
            if self._connection is not None:
                _end_of(self._connection, socket.SHUT_WR)
        while self._readers:
            self._readers.pop().join()

    def _use(self, connection: socket.socket | None) -> None:
        self._connection = connection
        if connection is not None:
            self._readers = [threading.Thread(target=self._read, args=(connection,), daemon=True)]
            self._readers[0].start()

    def _from_client(self, line: bytes) -> None:
        message = parsed(line)
        with self._changing:
            if self._connection is None and not self._again(start=True):
                if "method" in message and "id" in message:
                    self._print(failure(json.dumps(message["id"]), self._reason))
                return
            self._note(message, line)
            connection = self._connection
        if connection is None:
            return
        with contextlib.suppress(OSError):  # its reader notices too, and answers what was under way
            connection.sendall(line)

    def _note(self, message: dict[str, object], line: bytes) -> None:
        method, params = message.get("method"), message.get("params")
        about = params if isinstance(params, dict) else {}
        if method in ("initialize", "notifications/initialized"):
            self._handshake.append(line)
        elif method == "resources/subscribe":
            self._subscriptions[str(about.get("uri"))] = line
        elif method == "resources/unsubscribe":
            self._subscriptions.pop(str(about.get("uri")), None)
        elif method == "notifications/cancelled":
            self._waiting.pop(json.dumps(about.get("requestId")), None)
        if method and "id" in message:
            self._waiting[json.dumps(message["id"])] = str(method)

    def _read(self, connection: socket.socket) -> None:
        for line in lines(lambda: connection.recv(_CHUNK)):
            if line.endswith(b"\n"):  # a torn last line is no message
                self._from_daemon(line)
        _end_of(connection, socket.SHUT_RDWR)  # whoever is sending must not wait for ever
        with self._changing:
            connection.close()
            self._connection = None
            # An initialize is told again, and its answer passed on.
            self._fail("The Vault Sidecar daemon ended meanwhile.", spare="initialize")
            wanted = self._waiting or self._subscriptions
            if self._over or not wanted or self._again(start=bool(self._waiting)):
                return
            self._fail(self._reason)
        self._await_daemon()

    def _fail(self, reason: str, *, spare: str = "") -> None:
        """Answer what is under way, but for the method to spare."""
        for ident, method in list(self._waiting.items()):
            if method != spare:
                del self._waiting[ident]
                self._print(failure(ident, reason))

    def _await_daemon(self) -> None:
        """Find the next daemon for the sake of subscriptions, without starting one: the user may have stopped it."""
        while True:
            time.sleep(_LOOK_AGAIN)
            with self._changing:
                if self._over or self._connection is not None or self._again(start=False):
                    return

    def _again(self, *, start: bool) -> bool:
        try:
            connection = self._link(start)
            if connection is None:
                return False
            for line in [*self._handshake, *self._subscriptions.values()]:
                ident = json.dumps(parsed(line).get("id"))
                if ident not in self._waiting:
                    self._swallow.add(ident)
                connection.sendall(line)
        except (Unreachable, OSError) as error:
            self._reason = str(error)
            return False
        self._waiting = dict.fromkeys(self._waiting, "told again")  # once: it may be what ends the daemon
        self._use(connection)
        return True

    def _from_daemon(self, line: bytes) -> None:
        ident = answered(line)
        if ident is not None:
            if ident in self._swallow:
                self._swallow.discard(ident)
                return
            self._waiting.pop(ident, None)
        self._print(line)

    def _print(self, line: bytes) -> None:
        with self._printing:
            rest = memoryview(line)
            while rest:
                try:
                    rest = rest[os.write(1, rest) :]
                except OSError:
                    self._over = True  # the client is gone
                    return


def _end_of(connection: socket.socket, how: int) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(how)
