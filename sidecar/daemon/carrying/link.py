"""The way to the daemon: found or started, and each side shown that the other knows the token."""

# pathlib would cost a tenth of the time to the first answer:
# ruff: noqa: PTH103, PTH118, PTH123

import contextlib
import hmac
import json
import os
import socket
import time

from sidecar.daemon.carrying.starting import Unreachable, start_daemon, wait_for
from sidecar.daemon.carrying.wants import Wants

__all__ = ["PROTOCOL", "VERSION", "Declined", "connect", "proof"]

VERSION = "0.1.0"
PROTOCOL = 1
"""The number of the exchange that precedes MCP on the local socket; see :func:`connect`."""

_PATIENCE = 60.0
"""Seconds in which a daemon has to start."""
_ADMISSION = 300.0
"""Seconds for the daemon to open a vault: a crash may have to be mended and a large folder listed first."""
_LONGEST_LINE = 65_536


class Declined(Unreachable):
    """The daemon is there and does not want this client; the message is its reason."""


_Reached = tuple[socket.socket, str, str, str]
"""A connection to a daemon that greeted, the token of its endpoint, its version, its nonce."""


def proof(token: str, side: str, theirs: str, ours: str) -> str:
    """Return what shows that ``side`` (client or daemon) knows the token, for these two nonces and no others."""
    return hmac.new(token.encode(), f"{side} {theirs} {ours}".encode(), "sha256").hexdigest()


def connect(home: str, wants: Wants, *, start: bool = True) -> socket.socket | None:
    """Return a connection on which MCP can be spoken, starting the daemon when none runs.

    ``None`` when none runs and ``start`` is false. Before MCP, three lines are exchanged, in which each side proves
    that it knows the token of ``run/endpoint.json`` and neither sends it:

    1. daemon: ``vault-sidecar PROTOCOL VERSION NONCE``
    2. client: its wants as JSON, with ``version``, ``nonce`` and ``proof``
    3. daemon: ``OK VERSION PROOF``, or ``NO reason``

    Raises:
        Declined: when the daemon refuses; its reason is the message.
        Unreachable: when no daemon can be started.

    """
    deadline = time.monotonic() + _PATIENCE
    while True:
        reached = _reach(home) or (_started(home, deadline) if start else None)
        if reached is None:
            return None
        try:
            if start and _numbers(reached[2]) < _numbers(VERSION):
                reached = _renewed(home, reached, deadline)
            return _admit(reached, wants)
        except (OSError, ValueError):
            reached[0].close()  # it ended meanwhile, or is ending
        except Unreachable:
            reached[0].close()
            if _endpoint(home).get("token") == reached[1]:
                raise
        if time.monotonic() > deadline:
            raise Unreachable("The daemon does not answer.")
        time.sleep(0.05)


def _endpoint(home: str) -> dict[str, object]:
    try:
        with open(os.path.join(home, "run", "endpoint.json"), encoding="utf-8") as file:
            endpoint = json.load(file)
    except (OSError, ValueError):
        return {}
    return endpoint if isinstance(endpoint, dict) else {}


def _reach(home: str) -> _Reached | None:
    """Connect and take the greeting; a daemon that is dying may accept and then says nothing."""
    endpoint = _endpoint(home)
    path, port, token = endpoint.get("socket"), endpoint.get("socket_port"), str(endpoint.get("token"))
    if not path and not port:
        return None
    connection = socket.socket(socket.AF_UNIX if path else socket.AF_INET, socket.SOCK_STREAM)
    try:
        connection.settimeout(10)
        connection.connect(str(path) if path else ("127.0.0.1", port))
        if not path:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        name, protocol, version, nonce = _line(connection).split()
    except (OSError, ValueError, TypeError):
        connection.close()
        return None
    if name != "vault-sidecar" or protocol != str(PROTOCOL):
        connection.close()
        raise Unreachable(f"Vault Sidecar {version} is running, which {VERSION} cannot talk to: vault-sidecar stop")
    return connection, token, version, nonce


def _admit(reached: _Reached, wants: Wants) -> socket.socket:
    (connection, token, _, theirs), ours = reached, os.urandom(16).hex()
    preface = {**wants, "version": VERSION, "nonce": ours, "proof": proof(token, "client", theirs, ours)}
    connection.sendall(json.dumps(preface).encode() + b"\n")
    connection.settimeout(_ADMISSION)
    answer = _line(connection)
    if answer.startswith("NO "):
        raise Declined(answer[3:])
    _ok, _version, shown = answer.split(" ")
    if not hmac.compare_digest(shown, proof(token, "daemon", theirs, ours)):
        raise Unreachable("Something that is not Vault Sidecar listens in its place.")
    connection.settimeout(None)
    return connection


def _renewed(home: str, older: _Reached, deadline: float) -> _Reached:
    """Ask an older daemon to leave, and start ours; a busy one stays and serves us as well."""
    with older[0], contextlib.suppress(Declined):
        _admit(older, {"ask": "leave"})
    return _started(home, deadline)


def _numbers(version: str) -> list[int]:
    return [int("".join(filter(str.isdigit, part)) or 0) for part in version.split("+", maxsplit=1)[0].split(".")]


def _line(connection: socket.socket) -> str:
    received = bytearray()
    while not received.endswith(b"\n"):
        byte = connection.recv(1)  # one at a time: what follows the line belongs to MCP
        if not byte or len(received) > _LONGEST_LINE:
            raise ConnectionError
        received += byte
    return received.decode("utf-8", "replace").strip()


def _started(home: str, deadline: float) -> _Reached:
    """Start a daemon unless another client just did: one of many holds the lock, the others wait and find it there."""
    for folder in (home, os.path.join(home, "run"), os.path.join(home, "logs")):
        os.makedirs(folder, 0o700, exist_ok=True)
    lock = os.open(os.path.join(home, "run", "start.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        wait_for(lock, deadline)
        ended = None
        while time.monotonic() < deadline:
            if reached := _reach(home):
                return reached
            if ended is None:
                ended = start_daemon(home)
            elif (code := ended()) is not None:
                if code:
                    raise Unreachable(f"The daemon ended with {code}; see {os.path.join(home, 'logs', 'daemon.log')}")
                ended = None  # it gave way to another, which ended
            time.sleep(0.02)
    finally:
        os.close(lock)
    raise Unreachable("The daemon did not start in time.")
