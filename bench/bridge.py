"""``python -m bench.bridge``: how soon an event reaches the plugin, what routes take, and what waiting costs."""

import argparse
import http.client
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from bench.links import make_popular
from bench.make_vault import generate
from bench.process import commit, machine, percentiles
from sidecar.config import StateFolder
from sidecar.daemon.attach import attach, wants
from sidecar.daemon.client import Client
from sidecar.daemon.endpoint import Endpoint, read_endpoint, vault_key

RESULTS = Path(__file__).parent / "results"
_PATIENCE = 300.0
_POPULAR = 1000
_ROUTES: tuple[tuple[str, dict[str, str]], ...] = (("status", {}), ("activity", {"limit": "50"}), ("events", {}))


class Plugin:
    """Asks the bridge on one connection that stays open."""

    def __init__(self, endpoint: Endpoint, vault: Path) -> None:
        self._endpoint = endpoint
        self._key = vault_key(vault)
        self._connection = http.client.HTTPConnection("127.0.0.1", endpoint.port, timeout=60)

    def ask(self, method: str, route: str, query: dict[str, str] | None = None, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self._endpoint.token}", "Content-Type": "application/json"}
        path = f"/v1/{route}?{urlencode({'vault': self._key, **(query or {})})}"
        self._connection.request(method, path, None if body is None else json.dumps(body), headers)
        response = self._connection.getresponse()
        told = json.loads(response.read())
        if response.status >= 400:
            raise RuntimeError(told)
        return told

    def hear(self, cursor: int, wait: int = 25) -> Any:
        return self.ask("GET", "events", {"after": str(cursor), "wait": str(wait), "client": "bench"})


@contextmanager
def daemon(vault: Path, state: StateFolder) -> Iterator[tuple[Endpoint, "subprocess.Popen[bytes]"]]:
    """Serve a vault until the block ends."""
    folders = {"VAULT_SIDECAR_HOME": str(state.root), "VAULT_SIDECAR_DEFAULT_HOME": str(state.root.parent / "default")}
    process = subprocess.Popen(
        [sys.executable, "-m", "sidecar", "serve", str(vault)],
        env={**os.environ, **folders},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        end = time.monotonic() + _PATIENCE
        while (endpoint := read_endpoint(state.run)) is None or not endpoint.vaults:
            if time.monotonic() > end:
                raise RuntimeError("the daemon does not serve")
            time.sleep(0.05)
        yield endpoint, process
    finally:
        process.terminate()
        process.wait(30)


def measure(notes: int, writes: int, idle: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as temporary:
        vault, state = Path(temporary) / "vault", StateFolder(Path(temporary) / "state")
        manifest = generate(vault, notes)
        paths = [note.path for note in manifest.notes[:: max(1, notes // 100)]]
        popular = make_popular(vault, manifest, random.Random(7), min(_POPULAR, notes // 4))
        with daemon(vault, state) as (endpoint, process):
            plugin = Plugin(endpoint, vault)
            while plugin.ask("GET", "status")["state"] != "ready":
                time.sleep(0.2)
            _rest(process.pid)
            waiting = _idle(Plugin(endpoint, vault), process.pid, idle)
            plugin = Plugin(endpoint, vault)
            with Client(attach(state, wants(vault))) as agent:
                latencies = [_latency(plugin, Plugin(endpoint, vault), agent, number) for number in range(writes)]
            heard, whole = zip(*latencies, strict=True)
            _rest(process.pid)
            return {
                "event_after_the_call_returned": percentiles(list(heard)),
                "event_after_the_call_began": percentiles(list(whole)),
                "routes_wall": {
                    **{route: _wall(Plugin(endpoint, vault), route, [query] * 100) for route, query in _ROUTES},
                    **{
                        route: _wall(Plugin(endpoint, vault), route, [{"path": path} for path in paths])
                        for route in ("backlinks", "mentions")
                    },
                },
                "all_pages_of_a_popular_note": {
                    route: _all_pages(Plugin(endpoint, vault), process.pid, route, f"{popular}.md")
                    for route in ("backlinks", "mentions")
                },
                "idle_with_a_waiting_plugin": waiting,
            }


def _latency(plugin: Plugin, waiting: Plugin, agent: Client, number: int) -> tuple[float, float]:
    """Return how long after a write returned, and after it began, a waiting poll told of it; before counts as 0."""
    cursor = plugin.ask("GET", "events")["cursor"]
    heard: list[float] = []

    def wait() -> None:
        waiting.hear(cursor)
        heard.append(time.perf_counter())

    poll = threading.Thread(target=wait)
    poll.start()
    time.sleep(0.05)  # the poll has to be there first
    begin = time.perf_counter()
    arguments = {"title": f"Bench {number}", "directory": "Bench", "content": f"written {number}"}
    agent.request("tools/call", {"name": "write_note", "arguments": arguments})
    returned = time.perf_counter()
    poll.join()
    return max(0.0, heard[0] - returned), heard[0] - begin


def _wall(plugin: Plugin, route: str, queries: list[dict[str, str]]) -> dict[str, float]:
    seconds = []
    for query in queries:
        begin = time.perf_counter()
        plugin.ask("GET", route, query)
        seconds.append(time.perf_counter() - begin)
    return percentiles(seconds)


def _all_pages(plugin: Plugin, pid: int, route: str, path: str) -> dict[str, float]:
    """Follow the cursors as the pane does; return what that took, with the CPU seconds of the daemon."""
    cpu, begin, pages, mentions, query = _cpu(pid), time.perf_counter(), 0, 0, {"path": path, "limit": "500"}
    while True:
        told = plugin.ask("GET", route, query)
        pages, mentions = pages + 1, mentions + len(told["mentions"])
        if told["cursor"] is None:
            wall = time.perf_counter() - begin
            return {"pages": pages, "mentions": mentions, "wall_s": round(wall, 3), "cpu_s": round(_cpu(pid) - cpu, 2)}
        query = {**query, "cursor": told["cursor"]}


def _idle(plugin: Plugin, pid: int, seconds: int) -> dict[str, float]:
    """Return the share of one core, and how often per second its threads woke, while a plugin waits."""
    cursor = plugin.ask("GET", "events")["cursor"]
    cpu, wakeups, begin = _cpu(pid), _wakeups(pid), time.monotonic()
    while time.monotonic() - begin < seconds:
        cursor = plugin.hear(cursor, wait=min(25, seconds))["cursor"]
    passed = time.monotonic() - begin
    # Threads that ended meanwhile take their counts along.
    woken = sum(count - wakeups.get(thread, count) for thread, count in _wakeups(pid).items())
    return {"cpu_percent": round(100 * (_cpu(pid) - cpu) / passed, 3), "wakeups_per_s": round(woken / passed, 2)}


def _rest(pid: int) -> None:
    """Wait until the work in the background is done."""
    end, used = time.monotonic() + _PATIENCE, 0.0
    while (now := _cpu(pid)) - used > 0.02 and time.monotonic() < end:
        used = now
        time.sleep(3)


def _cpu(pid: int) -> float:
    """Return the CPU seconds of a process so far, in steps of 10 ms, those of ended threads included."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _wakeups(pid: int) -> dict[str, int]:
    """Return how often each thread went to sleep so far."""
    counts = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        lines = (task / "status").read_text().splitlines()
        counts[task.name] = sum(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--writes", type=int, default=50)
    parser.add_argument("--idle", type=int, default=60)
    options = parser.parse_args()
    result = {
        "command": f"python -m bench.bridge --notes {options.notes} --writes {options.writes} --idle {options.idle}",
        "commit": commit(),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        **measure(options.notes, options.writes, options.idle),
    }
    text = json.dumps(result, indent=2) + "\n"
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"bridge-{options.notes}.json").write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
