"""What an AI client starts: carries MCP between standard input and output and the daemon, and starts one if none runs.

Run as ``python -I -S shim.py``: the standard library only, and nothing of ``sidecar``, so that it answers at once.
"""

# pathlib would cost a tenth of the time to the first answer:
# ruff: noqa: PTH100, PTH103, PTH109, PTH111, PTH112, PTH117, PTH118, PTH123

import contextlib
import hmac
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping

__all__ = ["Carrier", "Declined", "Unreachable", "Wants", "connect", "options", "proof", "run", "state_folder"]

VERSION = "0.1.0"
PROTOCOL = 1
"""The number of the exchange that precedes MCP on the local socket; see :func:`connect`."""

_CHUNK = 65_536
_PATIENCE = 60.0
"""Seconds in which a daemon has to start."""
_ADMISSION = 300.0
"""Seconds for the daemon to open a vault: a crash may have to be mended and a large folder listed first."""
_LOOK_AGAIN = 1.0
_LONGEST_LINE = 65_536
_ANSWER = b'{"jsonrpc":"2.0","id":'


class Unreachable(Exception):  # noqa: N818 - a state of the world, worded for the user
    """No daemon can be reached, or started."""


class Declined(Unreachable):
    """The daemon is there and does not want this client; the message is its reason."""


Wants = dict[str, object]
"""The client's line of the exchange: ``vault`` or ``project``, ``tools``, ``person``; ``ask`` is serve, stop, or leave
(end if you are idle)."""

_Reached = tuple[socket.socket, str, str, str]
"""A connection to a daemon that greeted, the token of its endpoint, its version, its nonce."""


def state_folder(environment: Mapping[str, str]) -> str:
    """Return the state folder: the one ``VAULT_SIDECAR_HOME`` names, else the platform's place for data of programs."""
    if named := environment.get("VAULT_SIDECAR_HOME"):
        return os.path.abspath(os.path.expanduser(named))
    if sys.platform == "win32":
        usual = environment.get("LOCALAPPDATA") or "~\\AppData\\Local"
    else:
        usual = "~/Library/Application Support" if sys.platform == "darwin" else "~/.local/share"
        named = environment.get("XDG_DATA_HOME", "").strip()
        usual = named if os.path.isabs(named) else usual
    return os.path.join(os.path.expanduser(usual), "vault-sidecar")


def options(arguments: list[str], environment: Mapping[str, str]) -> tuple[str, Wants] | None:
    """Read the arguments of ``vault-sidecar mcp`` into state folder and wants; ``None`` when it is no plain start.

    Without a vault and a project the current folder counts when it is a vault; else each call says which it means.
    """
    found: dict[str, str] = {}
    rest = iter(arguments)
    for argument in rest:
        name, equals, value = argument.partition("=")
        name = {"-v": "--vault"}.get(name, name)
        if "vault" in found and not argument.startswith("-"):
            found["vault"] += f" {argument}"  # a client took the blank in a path for the end of an argument
            continue
        if name not in ("--vault", "--project", "--tools", "--home"):
            return None
        given = value if equals else next(rest, None)
        if given is None:
            return None
        found[name[2:]] = given
    for key, variable in (("tools", "VAULT_SIDECAR_TOOLS"), ("home", "VAULT_SIDECAR_HOME")):
        if variable in environment:
            found.setdefault(key, environment[variable])
    if "vault" not in found and "project" not in found:
        if vault := environment.get("VAULT_SIDECAR_VAULT"):
            found["vault"] = vault
        elif project := environment.get("VAULT_SIDECAR_PROJECT"):
            found["project"] = project
        elif os.path.isdir(".obsidian"):
            found["vault"] = os.getcwd()
    home = state_folder({**environment, "VAULT_SIDECAR_HOME": found.pop("home", "")})
    if "vault" in found:
        given, folder = found["vault"], os.path.abspath(os.path.expanduser(found["vault"]))
        # What has quotes or another system's form the daemon may understand, and else it says why not.
        odd = given != given.strip("\"' \\") or ":" in given
        found["vault"] = given if odd and not os.path.isdir(folder) else folder
    return home, {"tools": "full", **found}


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
        _wait_for(lock, deadline)
        ended = None
        while time.monotonic() < deadline:
            if reached := _reach(home):
                return reached
            if ended is None:
                ended = _start(home)
            elif (code := ended()) is not None:
                if code:
                    raise Unreachable(f"The daemon ended with {code}; see {os.path.join(home, 'logs', 'daemon.log')}")
                ended = None  # it gave way to another, which ended
            time.sleep(0.02)
    finally:
        os.close(lock)
    raise Unreachable("The daemon did not start in time.")


def _start(home: str) -> Callable[[], int | None]:
    """Start a daemon that outlives this process; the result tells its exit code."""
    import subprocess  # noqa: PLC0415 - 10 ms that only the first client pays

    # -P keeps Python from importing out of the folder the client happened to be in.
    command = [sys.executable, "-P", "-m", "sidecar", "serve", "--autostarted"]
    with open(os.path.join(home, "logs", "daemon.log"), "ab") as log:
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        process = subprocess.Popen(  # noqa: S603 - our own interpreter
            command, cwd=home, env={**os.environ, "VAULT_SIDECAR_HOME": home}, stdin=subprocess.DEVNULL, stdout=log,
            stderr=log, creationflags=flags, start_new_session=True
        )  # fmt: skip
    return process.poll


def _wait_for(lock: int, deadline: float) -> None:
    while True:
        try:
            if sys.platform == "win32":
                import msvcrt  # noqa: PLC0415 - exists on Windows only

                msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
            else:
                import fcntl  # noqa: PLC0415 - exists elsewhere only

                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() > deadline:
                raise Unreachable("Another client is starting the daemon, without success.") from None
            time.sleep(0.02)
        else:
            return


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
        for line in _lines(lambda: os.read(0, _CHUNK)):
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
        message = _parsed(line)
        with self._changing:
            if self._connection is None and not self._again(start=True):
                if "method" in message and "id" in message:
                    self._print(_failure(json.dumps(message["id"]), self._reason))
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
        for line in _lines(lambda: connection.recv(_CHUNK)):
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
                self._print(_failure(ident, reason))

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
                ident = json.dumps(_parsed(line).get("id"))
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
        ident = _answered(line)
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


def _lines(read: Callable[[], bytes]) -> Iterator[bytes]:
    """Give lines with their ends, and at last what has none."""
    begun: list[bytes] = []
    while True:
        try:
            chunk = read()
        except OSError:
            chunk = b""
        if not chunk:
            break
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            yield b"".join((*begun, end, b"\n"))
            begun = []
        if rest:
            begun.append(rest)
    if begun:
        yield b"".join(begun)


def _parsed(line: bytes) -> dict[str, object]:
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


def _answered(line: bytes) -> str | None:
    """Return the id of an answer, or ``None`` for another message; the daemon's own long answers are not parsed."""
    if line.startswith(b'{"jsonrpc":"2.0","method":'):
        return None
    for mark in (b',"result":', b',"error":'):
        head, found, _ = line[:512].partition(mark)
        if found and head.startswith(_ANSWER):
            try:
                return json.dumps(json.loads(head[len(_ANSWER) :]))
            except ValueError:
                break
    message = _parsed(line)
    return json.dumps(message["id"]) if "id" in message and "method" not in message else None


def _failure(ident: str, reason: str) -> bytes:
    message = f"{reason} Try again; 'history' tells whether a change was made."
    error = {"code": -32000, "message": message, "data": {"retryable": True}}
    return b'{"jsonrpc":"2.0","id":%s,"error":%s}\n' % (ident.encode(), json.dumps(error).encode())


def _end_of(connection: socket.socket, how: int) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(how)


def run(home: str, wants: Wants) -> int:
    """Be the shim for a client; return the exit code."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - exists on Windows only

        msvcrt.setmode(0, os.O_BINARY)
        msvcrt.setmode(1, os.O_BINARY)
    try:
        Carrier(lambda start: connect(home, wants, start=start)).run()
    except Unreachable as error:
        sys.stderr.write(f"vault-sidecar: {error}\n")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def main(arguments: list[str]) -> int:
    """Run with command-line arguments; return the exit code."""
    given = options(arguments, os.environ)
    if given is None:
        sys.stderr.write("usage: shim.py [--vault FOLDER | --project NAME] [--tools FAMILIES] [--home FOLDER]\n")
        return 2
    return run(*given)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
