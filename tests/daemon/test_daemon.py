"""Real daemons, started by real shims, with real clients: who starts them, what ends them, what survives."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import anyio
import pytest
from mcp import Client

from sidecar.daemon import shim
from sidecar.daemon.endpoint import read_endpoint
from sidecar.daemon.lock import DaemonLock
from tests.daemon.daemons import Era, Home, message, said, said_at_last, until

pytestmark = pytest.mark.slow
KILL, TERM = 9, 15
OLD = "import sidecar; sidecar.__version__ = '0.0.1'; from sidecar.cli.main import app; app()"


@pytest.fixture(scope="module")
def served_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    root = tmp_path_factory.mktemp("declining")
    home = Home(root / "state", root)
    home.serve()
    yield home
    home.end()


def test_six_clients_at_once_start_one_daemon(home: Home) -> None:
    async def one(era: Era) -> None:
        async with home.client(era) as client:
            assert (await said(client, "search_notes", query="alpha"))["total"] == 1

    async def play() -> None:
        async with anyio.create_task_group() as tasks:
            for era in ("auto", "legacy") * 3:
                tasks.start_soon(one, era)

    anyio.run(play)
    assert home.log.count(" listens;") == 1
    assert home.log.count("Opened a vault") == 1


@pytest.mark.parametrize("era", ["auto", "legacy"])
def test_a_client_goes_on_when_its_daemon_is_killed(home: Home, era: Era) -> None:
    async def play() -> None:
        async with home.client(era) as client:
            await said(client, "write_note", title="Kept", directory="", content="beta")
            first = home.pid
            os.kill(first, KILL)
            assert (await said_at_last(client, "search_notes", query="beta"))["total"] == 1
            assert home.pid != first
            assert len((await said(client, "history"))["changes"]) == 1

    anyio.run(play)


def test_killed_while_indexing_the_next_one_finishes(home: Home) -> None:
    for n in range(4000):
        (home.vault / f"Many {n}.md").write_text(f"# Many {n}\n\n" + f"word{n} common text of some length\n" * 20)

    reports: list[tuple[float, float | None, str | None]] = []

    async def report(progress: float, total: float | None, message: str | None) -> None:
        reports.append((progress, total, message))

    async def found(client: Client) -> int:
        return int((await said_at_last(client, "search_notes", query="common", page_size=1))["total"])

    async def play() -> None:
        async with home.client() as client:
            await client.call_tool("list_directory", progress_callback=report)
            assert reports[-1][0] < (reports[-1][1] or 0), "too few notes to be killed in between"
            os.kill(home.pid, KILL)
            with anyio.fail_after(60):
                while await found(client) < 4000:  # noqa: ASYNC110 - the test asks as a client does
                    await anyio.sleep(0.2)
            assert (await said(client, "search_notes", query="word1234"))["total"] == 1

    anyio.run(play)
    assert home.log.count("Opened a vault") == 2
    assert (reports[-1][1:], reports == sorted(reports)) == ((4001, "Indexing"), True)


@pytest.mark.parametrize("number", [KILL, TERM])
def test_ended_while_writing_each_change_is_whole_and_recorded_or_was_not_begun(home: Home, number: int) -> None:
    text = "line of the note\n" * 200

    async def play() -> None:
        async with home.client() as client:

            async def write(n: int) -> None:
                await said_at_last(client, "write_note", title=f"N{n}", directory="", content=text, overwrite=True)

            for moment in (0.02, 0.05, 0.09):
                await said_at_last(client, "list_directory")
                pid = home.pid
                async with anyio.create_task_group() as tasks:
                    for n in range(8):
                        tasks.start_soon(write, n)
                    await anyio.sleep(moment)
                    os.kill(pid, number)
            changes = (await said_at_last(client, "history", limit=100))["changes"]
            recorded = {file["file_path"] for change in changes for file in change["files"]}
            on_disk = {path.name for path in home.vault.iterdir()}
            assert on_disk == {f"N{n}.md" for n in range(8)} | {"Note.md"}, "something half done was left"
            assert recorded == on_disk - {"Note.md"}
            assert {p.read_text() for p in home.vault.glob("N[0-9].md")} == {text}
            await said(client, "undo", since="1h")
            assert [path.name for path in home.vault.iterdir()] == ["Note.md"]

    anyio.run(play)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGTERM")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_in_order(home: Home, number: int) -> None:
    home.serve(str(home.vault))
    (process,) = home.started
    process.send_signal(number)
    assert process.wait(10) == 0
    assert home.endpoint is None
    assert home.is_free()
    assert not list(home.root.parent.rglob("*.sock"))
    assert not list((home.root.parent / "default").rglob("*.json"))
    assert f"Ending: signal {number}" in home.log


def test_a_daemon_waits_for_a_command_that_has_the_lock(home: Home) -> None:
    (home.root / "run").mkdir(parents=True)
    lock = DaemonLock(home.root / "run/daemon.lock")
    assert lock.acquire()
    released = threading.Timer(2, lock.release)
    released.start()

    async def play() -> None:
        async with home.client() as client:
            assert (await said(client, "search_notes", query="alpha"))["total"] == 1

    anyio.run(play)
    assert released.finished.is_set()


def test_who_sends_all_at_once_and_closes_gets_every_answer(home: Home) -> None:
    home.serve(str(home.vault))
    sent = message(
        "initialize", 0, protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "t", "version": ""}
    )
    sent += message("notifications/initialized")
    for n in range(1, 6):
        sent += message("tools/call", n, name="search_notes", arguments={"query": f"alpha OR word{n}"})
    command = [sys.executable, "-I", "-S", shim.__file__, "--vault", str(home.vault), "--home", str(home.root)]
    done = subprocess.run(command, input=sent, capture_output=True, check=True, timeout=30)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(answer["id"] for answer in answers) == list(range(6))
    assert not [answer for answer in answers if "error" in answer]


def test_a_daemon_that_cannot_start_leaves_its_reason_in_the_log(home: Home) -> None:
    home.root.mkdir()
    (home.root / "config.toml").write_text("[write]\noverwrit = true\n", encoding="utf-8")
    with pytest.raises(shim.Unreachable, match=r"daemon\.log"):
        shim.connect(str(home.root), {"vault": str(home.vault)})
    assert "line 2" in home.log
    assert "overwrit" in home.log


def test_stop_ends_it_and_a_client_that_asks_again_starts_another(home: Home) -> None:
    assert home.command("stop").stdout == "No process is serving.\n"

    async def play() -> None:
        async with home.client() as client:
            await said(client, "list_directory")
            stopped = await anyio.to_thread.run_sync(home.command, "stop")
            assert (stopped.returncode, stopped.stdout) == (0, "Stopped.\n")
            await anyio.sleep(1.5)
            assert home.is_free(), "a client that asks nothing must not bring it back"
            await said_at_last(client, "list_directory")
            assert not home.is_free()

    anyio.run(play)


def test_it_ends_when_nobody_is_connected_for_long(home: Home) -> None:
    home.variables["VAULT_SIDECAR_SERVE_IDLE_SECONDS"] = "0.6"

    async def play() -> None:
        async with home.client() as client:
            await anyio.sleep(1.2)
            await said(client, "list_directory")
            assert not home.is_free()

    anyio.run(play)
    until(home.is_free, 10)
    assert "nobody was connected" in home.log
    assert home.endpoint is None


def test_an_older_idle_daemon_makes_way(home: Home) -> None:
    home.start("-c", OLD, "serve", "--autostarted")
    until(lambda: home.endpoint is not None)
    assert home.endpoint is not None
    assert home.endpoint.version == "0.0.1"

    async def play() -> None:
        async with home.client() as client:
            assert (await said(client, "search_notes", query="alpha"))["total"] == 1

    anyio.run(play)
    assert home.endpoint is not None
    assert home.endpoint.version == shim.VERSION
    assert f"version {shim.VERSION} asked to leave" in home.log


@pytest.mark.parametrize("arguments", [("serve", "--autostarted"), ("serve",)])
def test_an_older_daemon_that_is_needed_stays_and_serves(home: Home, arguments: tuple[str, ...]) -> None:
    home.start("-c", OLD, *arguments)
    until(lambda: home.endpoint is not None)
    connection = None
    if "--autostarted" in arguments:
        wants: shim.Wants = {"vault": str(home.vault), "ask": "serve"}
        connection = shim.connect(str(home.root), wants, start=False)

    async def play() -> None:
        async with home.client() as client:
            assert (await said(client, "search_notes", query="alpha"))["total"] == 1

    anyio.run(play)
    assert home.endpoint is not None
    assert home.endpoint.version == "0.0.1"
    if connection is not None:
        connection.close()


def test_a_wrong_token_opens_nothing(home: Home) -> None:
    home.serve(str(home.vault))
    run = home.root / "run"
    published = (run / "endpoint.json").read_text()
    endpoint = read_endpoint(run)
    assert endpoint is not None
    if sys.platform != "win32":
        assert (run / "endpoint.json").stat().st_mode & 0o077 == 0
    (run / "endpoint.json").write_text(published.replace(endpoint.token, "guess"))
    with pytest.raises(shim.Declined, match="token"):
        shim.connect(str(home.root), {"vault": str(home.vault)}, start=False)
    with pytest.raises(shim.Declined, match="token"):
        shim.connect(str(home.root), {"ask": "stop"}, start=False)
    assert endpoint.token not in home.log


@pytest.mark.parametrize(
    ("wants", "reason"),
    [
        ({"vault": "/nowhere"}, "is not a folder"),
        ({"project": "nope"}, "no project 'nope'"),
        ({"vault": "/v", "project": "nope"}, "not both"),
        ({"tools": "nope"}, "no tool or family 'nope'"),
        ({"ask": "dance"}, "cannot be read"),
        ({"vault": 1}, "cannot be read"),
    ],
)
def test_reasons_to_decline(served_home: Home, wants: shim.Wants, reason: str) -> None:
    with pytest.raises(shim.Declined, match=reason):
        shim.connect(str(served_home.root), wants, start=False)
