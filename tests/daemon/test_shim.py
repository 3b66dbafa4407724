"""The shim against a daemon of the test's own: what is carried, told again, swallowed, and answered in its place."""

import ast
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

import sidecar
from sidecar.config import StateFolder
from sidecar.daemon import shim
from sidecar.daemon.carrying.lines import answered
from sidecar.daemon.greeting import Greeting, Preface, declined
from tests.daemon.daemons import message

SOURCE = Path(shim.__file__)
PARTS = SOURCE.with_name("carrying")
INITIALIZE = message("initialize", 0, protocolVersion="2025-11-25")
INITIALIZED = message("notifications/initialized")


@pytest.mark.parametrize("source", [SOURCE, *sorted(PARTS.glob("*.py"))], ids=lambda path: path.name)
def test_it_imports_the_standard_library_and_its_parts_only(source: Path) -> None:
    imported = set()
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module or "")
    others = {name for name in imported if not name.startswith("sidecar.daemon.carrying.")}
    assert {name.partition(".")[0] for name in others} <= sys.stdlib_module_names


def test_nothing_else_is_loaded_before_it_answers() -> None:
    asked = (
        "import sys, runpy; sys.argv = ['shim', '--nonsense']; "
        f"\ntry: runpy.run_path({str(SOURCE)!r}, run_name='__main__')\nexcept SystemExit: pass"
        "\nprint(*(name for name in sys.modules if name.startswith('sidecar')))"
        "\nprint(*(name for name in ('pathlib', 'subprocess', 'asyncio') if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", asked], capture_output=True, text=True, check=True)
    ours, slow = done.stdout.splitlines()
    parts = {f"sidecar.daemon.carrying.{path.stem}" for path in PARTS.glob("[a-z]*.py")}
    assert set(ours.split()) == {"sidecar", "sidecar.daemon", "sidecar.daemon.carrying"} | parts
    assert slow == "", "these take longer than all the rest"


def test_it_runs_without_the_package() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(SOURCE), "--nonsense"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("usage")


def test_it_knows_the_version_of_the_package() -> None:
    assert sidecar.__version__ == shim.VERSION


@pytest.mark.parametrize(
    ("arguments", "environment", "wants"),
    [
        (["--vault", "/v"], {}, {"vault": "/v", "tools": "full"}),
        (["-v", "/v", "--tools=core,undo"], {}, {"vault": "/v", "tools": "core,undo"}),
        (["--vault=/a=b/../c"], {}, {"vault": "/c", "tools": "full"}),
        (["--project", "work"], {"VAULT_SIDECAR_VAULT": "/v"}, {"project": "work", "tools": "full"}),
        ([], {"VAULT_SIDECAR_VAULT": "/v", "VAULT_SIDECAR_TOOLS": "core"}, {"vault": "/v", "tools": "core"}),
        ([], {"VAULT_SIDECAR_PROJECT": "work"}, {"project": "work", "tools": "full"}),
        ([], {}, {"tools": "full"}),
        (["--embedded"], {}, None),
        (["--help"], {}, None),
        (["--vault"], {}, None),
        (["/v"], {}, None),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="paths of this system")
def test_arguments(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    environment: Mapping[str, str],
    wants: shim.Wants | None,
) -> None:
    monkeypatch.chdir(tmp_path)
    given = shim.options(arguments, environment)
    assert (given and given[1]) == wants


def test_the_current_folder_counts_when_it_is_a_vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".obsidian").mkdir()
    monkeypatch.chdir(tmp_path)
    given = shim.options(["--home", "state"], {})
    assert given is not None
    assert given[1]["vault"] == str(tmp_path)
    assert given[0] == str(tmp_path / "state")


@pytest.mark.parametrize("name", ["VAULT_SIDECAR_HOME", "XDG_DATA_HOME", None])
def test_the_state_folder_is_that_of_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str | None
) -> None:
    monkeypatch.delenv("VAULT_SIDECAR_HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    if name is not None:
        monkeypatch.setenv(name, str(tmp_path / "x"))
    import os

    assert shim.state_folder(os.environ) == str(StateFolder.default().root)


@pytest.mark.parametrize(
    ("line", "ident"),
    [
        (b'{"jsonrpc":"2.0","id":7,"result":{"id":8}}\n', "7"),
        (b'{"jsonrpc":"2.0","id":"a,\\"result\\":b","error":{"code":1}}\n', json.dumps('a,"result":b')),
        (b'{"jsonrpc":"2.0","id":7,"method":"x","params":{"a":1,"result":2}}\n', None),
        (b'{"jsonrpc":"2.0","method":"x","params":{"id":1,"result":2}}\n', None),
        (b'{ "id" : "x", "result" : {}, "jsonrpc":"2.0"}\n', '"x"'),
        (b'{"jsonrpc":"2.0","id":"' + b"x" * 600 + b'","result":{}}\n', json.dumps("x" * 600)),
        (b"[]\n", None),
        (b"nonsense\n", None),
    ],
)
def test_what_an_answer_answers(line: bytes, ident: str | None) -> None:
    assert answered(line) == ident


class Daemon:
    """Listens where a shim looks, and does what a test tells it."""

    def __init__(self, home: Path) -> None:
        self.run = home / "run"
        self.run.mkdir(parents=True, exist_ok=True)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.token = "secret"  # noqa: S105
        self.publish(self._listener.getsockname()[1])

    def publish(self, port: int) -> None:
        endpoint = {"socket": None, "socket_port": port, "token": self.token}
        (self.run / "endpoint.json").write_text(json.dumps(endpoint))

    def accept(self, answer: bytes | None = None) -> "Talk":
        self._listener.settimeout(20)
        connection, _ = self._listener.accept()
        greeting = Greeting(self.token)
        connection.sendall(greeting.line)
        talk = Talk(connection)
        preface = greeting.check(talk.line())
        talk.preface = preface
        connection.sendall(answer or greeting.accepted(preface))
        return talk

    def close(self) -> None:
        self._listener.close()


class Talk:
    """One connection of a shim."""

    preface: Preface

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._lines = connection.makefile("rb")

    def line(self) -> bytes:
        return self._lines.readline()

    def send(self, data: bytes) -> None:
        self._connection.sendall(data)

    def end(self) -> None:
        self._lines.close()
        self._connection.close()


class Shim:
    """The shim as a client runs it."""

    def __init__(self, home: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", str(SOURCE), "--vault", str(home), "--home", str(home)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._in, self._out = self._process.stdin, self._process.stdout

    def send(self, line: bytes) -> None:
        self._in.write(line)
        self._in.flush()

    def read(self) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self._out.readline())
        return answer

    def end(self) -> tuple[int, str]:
        _, errors = self._process.communicate(timeout=20)
        return self._process.returncode, errors.decode()

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    made = Daemon(tmp_path)
    yield made
    made.close()


@pytest.fixture
def client(tmp_path: Path, daemon: Daemon) -> Iterator[Shim]:  # noqa: ARG001 - it listens first
    made = Shim(tmp_path)
    yield made
    made.kill()


def answer(number: int) -> bytes:
    return b'{"jsonrpc":"2.0","id":%d,"result":{}}\n' % number


def test_bytes_pass_unread_in_both_directions(daemon: Daemon, client: Shim) -> None:
    talk = daemon.accept()
    assert talk.preface.vault is not None
    long = message("tools/call", 1, text="ü" * 300_000)
    client.send(long)
    assert talk.line() == long
    talk.send(b'{"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n' + long.replace(b'"method"', b'"x"'))
    assert client.read()["method"] == "notifications/progress"
    assert client.read()["id"] == 1
    talk.end()


def test_a_closed_input_lets_pending_answers_drain(daemon: Daemon, client: Shim) -> None:
    talk = daemon.accept()
    client.send(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')  # no line end, too
    client._in.close()
    assert json.loads(talk.line())["id"] == 1
    assert talk.line() == b""
    talk.send(answer(1))
    talk.end()
    assert client.read()["id"] == 1
    client._process.stdin = None
    assert client.end() == (0, "")


def test_a_legacy_client_goes_on_with_the_next_daemon(daemon: Daemon, client: Shim) -> None:
    talk = daemon.accept()
    subscribe, other = (message("resources/subscribe", n, uri=f"note://{n}") for n in (1, 2))
    for line in (INITIALIZE, INITIALIZED, subscribe, other, message("resources/unsubscribe", 3, uri="note://2")):
        client.send(line)
        assert talk.line() == line
        if b'"id"' in line:
            talk.send(answer(json.loads(line)["id"]))
            client.read()
    client.send(message("tools/call", 4))
    client.send(message("tools/call", 5))
    client.send(message("notifications/cancelled", requestId=5))
    for _ in range(3):
        talk.line()
    talk.end()
    failed = client.read()
    assert (failed["id"], failed["error"]["code"], failed["error"]["data"]) == (4, -32000, {"retryable": True})
    talk = daemon.accept()  # for the sake of the subscription, without being asked
    assert [talk.line() for _ in range(3)] == [INITIALIZE, INITIALIZED, subscribe]
    talk.send(answer(0) + answer(1))
    client.send(message("tools/call", 6))
    assert json.loads(talk.line())["id"] == 6
    talk.send(answer(6))
    assert client.read() == json.loads(answer(6))
    talk.end()


def test_a_modern_client_is_not_told_again_and_comes_back_when_it_asks(daemon: Daemon, client: Shim) -> None:
    talk = daemon.accept()
    client.send(message("server/discover", 1))
    talk.line()
    talk.send(answer(1) + b'{"jsonrpc":"2.0","id":2,"res')  # torn
    client.read()
    talk.end()
    time.sleep(0.5)  # until the end was noticed; a call before that would be answered with an error
    client.send(message("tools/call", 3))
    talk = daemon.accept()
    assert json.loads(talk.line())["id"] == 3
    talk.send(answer(3))
    assert client.read()["id"] == 3
    talk.end()


def test_an_unanswered_initialize_is_told_again_once_and_then_fails(daemon: Daemon, client: Shim) -> None:
    talk = daemon.accept()
    client.send(INITIALIZE)
    talk.line()
    talk.end()
    talk = daemon.accept()
    assert talk.line() == INITIALIZE
    talk.end()
    assert client.read()["error"]["code"] == -32000


def test_a_reason_to_decline_is_shown(daemon: Daemon, client: Shim) -> None:
    daemon.accept(declined("no\nsuch folder")).end()
    assert client.end() == (1, "vault-sidecar: no such folder\n")


def test_something_else_that_listens_there_gets_no_message(daemon: Daemon, client: Shim) -> None:
    talk = daemon.accept(b"OK 0.1.0 " + b"0" * 64 + b"\n")
    code, errors = client.end()
    assert (code, "not Vault Sidecar" in errors) == (1, True)
    assert talk.line() == b""
    talk.end()


@pytest.mark.usefixtures("client")
def test_the_token_itself_is_never_sent(daemon: Daemon) -> None:
    connection, _ = daemon._listener.accept()
    connection.sendall(Greeting(daemon.token).line)
    assert daemon.token.encode() not in Talk(connection).line()
    connection.close()


def test_a_daemon_of_another_protocol_is_named(daemon: Daemon, client: Shim) -> None:
    connection, _ = daemon._listener.accept()
    connection.sendall(b"vault-sidecar 99 9.9.9 abc\n")
    code, errors = client.end()
    assert (code, "9.9.9" in errors) == (1, True)
    connection.close()


def test_a_proof_from_an_old_endpoint_is_tried_again_with_the_new_one(daemon: Daemon, client: Shim) -> None:
    connection, _ = daemon._listener.accept()
    connection.sendall(Greeting("other").line)
    talk = Talk(connection)
    talk.line()
    daemon.token = "newer"  # noqa: S105
    daemon.publish(daemon._listener.getsockname()[1])
    connection.sendall(declined("the token is not the one of this process"))
    talk.end()
    talk = daemon.accept()
    client.send(message("ping", 1))
    assert json.loads(talk.line())["id"] == 1
    talk.end()


def test_c29_a_path_that_was_split_at_its_blank_is_joined(tmp_path: Path) -> None:
    vault = tmp_path / "My Old Vault"
    vault.mkdir()
    split = f"--vault {vault} --tools core".split()
    found = shim.options(split, {"VAULT_SIDECAR_HOME": str(tmp_path)})
    assert found is not None
    assert found[1] == {"vault": str(vault), "tools": "core"}
