"""``python -m bench.peer ADAPTER [--notes N] [--program PATH]``: drive any MCP server on a generated vault.

An adapter names the command, files of its state folder, and how to ask for search, read, context, write and edit;
``--program`` replaces the first word of the command by a path. What is measured is the same for all: how long and how
much CPU until every marker is found and the server rests, files it changed by that, a warm start, wall latencies, and
how soon an outside change is found. Linux only.
"""

import argparse
import hashlib
import json
import os
import random
import re
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from bench.make_vault import GeneratedNote, generate
from bench.process import commit, machine, percentiles
from sidecar.daemon.client import Client

_SEED = 7
_MARKERS = 25
_LONGEST_INDEX = 900.0
_REST = 3.0
"""Seconds with next to no CPU use after which a server counts as resting."""


class Peer:
    """One server under an adapter, with all its child processes."""

    def __init__(self, adapter: Mapping[str, Any], program: str | None, vault: Path, state: Path) -> None:
        facts = {"vault": str(vault), "state": str(state)}
        command = _filled(adapter["command"], facts)
        command[0] = program or command[0]
        environment = {**os.environ, **_filled(adapter["env"], facts)}
        ours, theirs = socket.socketpair()
        self._calls = adapter["calls"]
        self.begin = time.perf_counter()
        self._process = subprocess.Popen(
            command, stdin=theirs.fileno(), stdout=theirs.fileno(), stderr=subprocess.DEVNULL, env=environment
        )
        theirs.close()
        self._client = Client(ours)

    def ask(self, name: str, **facts: str) -> tuple[str, float]:
        """Make one call; return its text and the wall seconds it took."""
        call = self._calls[name]
        begin = time.perf_counter()
        result = self._client.request("tools/call", {"name": call["tool"], "arguments": _filled(call["args"], facts)})
        wall = time.perf_counter() - begin
        return "\n".join(item.get("text", "") for item in result["content"]), wall

    def finds(self, word: str, title: str) -> bool:
        return title in self.ask("search", query=word)[0]

    def cpu(self) -> float:
        """Return the CPU seconds of the process and its living children."""
        return sum(_stat_seconds(pid) for pid in self._family())

    def peak_mb(self) -> int:
        """Return the largest resident size so far, over the whole family."""
        return sum(_status_kb(pid, "VmHWM") for pid in self._family()) // 1024

    def rest(self, seconds: float = 600) -> float:
        """Wait until it rests; return when that began, in seconds since its start."""
        quiet, used, end = time.perf_counter(), self.cpu(), time.perf_counter() + seconds
        while time.perf_counter() < min(end, quiet + _REST):
            time.sleep(0.25)
            now = self.cpu()
            if now - used > 0.02:
                quiet = time.perf_counter()
            used = now
        return quiet - self.begin

    def close(self) -> None:
        self._client.__exit__(None, None, None)
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _family(self) -> list[int]:
        found, border = [], [self._process.pid]
        while border:
            pid = border.pop()
            found.append(pid)
            for children in Path(f"/proc/{pid}/task").glob("*/children"):
                border += map(int, children.read_text().split())
        return found


def measure(adapter: Mapping[str, Any], program: str | None, notes: int, repetitions: int = 40) -> dict[str, Any]:
    """Measure one server on a vault of ``notes`` notes."""
    with tempfile.TemporaryDirectory() as temporary:
        vault, state = Path(temporary) / "vault", Path(temporary) / "state"
        state.mkdir()
        for name, text in adapter.get("files", {}).items():
            (state / name).write_text(text, encoding="utf-8")
        manifest = generate(vault, notes, _SEED)
        rng = random.Random(_SEED)
        marked = rng.sample(manifest.notes, min(_MARKERS, notes))
        for number, note in enumerate(marked):
            with (vault / note.path).open("a", encoding="utf-8") as out:
                out.write(f"\nMarker zqmarker{number:03d}x here.\n")
        before = _hashes(vault)
        peer = Peer(adapter, program, vault, state)
        searchable = _until_found(peer, marked)
        settled = peer.rest()
        index = {"searchable_s": searchable, "settled_s": round(settled, 2), "cpu_s": round(peer.cpu(), 2)}
        index |= {"peak_mb": peer.peak_mb(), "files_changed": _changed(before, _hashes(vault))}
        peer.close()
        peer = Peer(adapter, program, vault, state)
        warm = _wait(lambda: peer.finds("zqmarker000x", marked[0].title), peer.begin, 120)
        peer.rest(60)
        latencies = _latencies(peer, vault, manifest.notes, manifest.terms, rng, repetitions)
        peer.close()
    return {"first_index": index, "warm_start_to_search_s": warm, "wall": latencies}


def _until_found(peer: Peer, marked: list[GeneratedNote]) -> float | None:
    waiting = list(enumerate(marked))
    while waiting and time.perf_counter() - peer.begin < _LONGEST_INDEX:
        number, note = waiting[-1]
        if peer.finds(f"zqmarker{number:03d}x", note.title):
            waiting.pop()
        else:
            waiting.insert(0, waiting.pop())  # one note that never comes must not hide the others
            time.sleep(0.2)
    return None if waiting else round(time.perf_counter() - peer.begin, 2)


def _latencies(
    peer: Peer, vault: Path, notes: tuple[GeneratedNote, ...], terms: tuple[str, ...], rng: random.Random, count: int
) -> dict[str, Any]:
    def named(note: GeneratedNote) -> dict[str, str]:
        return {"path": note.path, "bare": note.path[:-3], "title": note.title, "permalink": note.permalink}

    queries = [" ".join(rng.sample(terms, rng.choice((1, 1, 2)))) for _ in range(count)]
    chosen = rng.sample(notes, min(count, len(notes)))
    times = {"search": [peer.ask("search", query=q)[1] for q in queries]}
    times["read"] = [peer.ask("read", **named(n))[1] for n in chosen]
    times["context"] = [peer.ask("context", **named(n))[1] for n in chosen]
    written = [(f"Bench {i:03d}", f"# Bench {i}\n\nWords {' '.join(rng.sample(terms, 40))}\n") for i in range(count)]
    times["write"] = [peer.ask("write", title=t, directory="Inbox", content=c)[1] for t, c in written]
    times["edit"] = [peer.ask("edit", bare=f"Inbox/{t}", title=t, content=f"\nmore {t}\n")[1] for t, _ in written]
    found = []
    for number in range(5):
        (vault / f"Outside {number}.md").write_text(f"# Outside {number}\n\nzqoutside{number}x\n", encoding="utf-8")
        appears = partial(peer.finds, f"zqoutside{number}x", f"Outside {number}")
        found.append(_wait(appears, time.perf_counter(), 60) or 60.0)

    return {name: percentiles(t) for name, t in times.items()} | {"outside_change_found_s": sorted(found)[2]}


def _wait(done: Callable[[], bool], begin: float, seconds: float) -> float | None:
    while time.perf_counter() - begin < seconds:
        if done():
            return round(time.perf_counter() - begin, 2)
        time.sleep(0.02)
    return None


def _filled(value: Any, facts: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return re.sub(r"\{(\w+)\}", lambda m: facts.get(m[1], m[0]), value)
    if isinstance(value, dict):
        return {key: _filled(item, facts) for key, item in value.items()}
    return [_filled(item, facts) for item in value]


def _hashes(vault: Path) -> dict[str, str]:
    files = (path for path in vault.rglob("*") if path.is_file())
    return {str(path.relative_to(vault)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def _changed(before: Mapping[str, str], after: Mapping[str, str]) -> int:
    return sum(after.get(name) != digest for name, digest in before.items()) + len(after.keys() - before.keys())


def _stat_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")  # its own and those of children that ended


def _status_kb(pid: int, key: str) -> int:
    try:
        found = re.search(rf"{key}:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return int(found[1]) if found else 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("adapter", type=Path)
    parser.add_argument("--notes", type=int, default=1000)
    parser.add_argument("--program", help="path of the server's program")
    options = parser.parse_args()
    adapter = json.loads(options.adapter.read_text("utf-8"))
    begin = time.perf_counter()
    measured = measure(adapter, options.program, options.notes)
    result = {
        "server": adapter["name"],
        "command": f"python -m bench.peer bench/adapters/{options.adapter.name} --notes {options.notes}",
        "commit": commit(),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "seconds": round(time.perf_counter() - begin, 1),
        "notes": options.notes,
        **measured,
    }
    text = json.dumps(result, indent=2) + "\n"
    out = Path(__file__).parent / "results" / f"peer-{options.adapter.stem}-{options.notes}.json"
    out.write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
