"""Processes under measurement: CPU seconds of all their threads, and memory."""

import hashlib
import os
import platform
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from sidecar.daemon.client import Client

__all__ = ["Finished", "Server", "commit", "machine", "own_home", "percentiles", "run", "vault_hash"]


@dataclass(frozen=True, slots=True)
class Finished:
    """A command that ended."""

    wall: float
    cpu: float
    max_rss_mb: float
    stdout: str


def own_home(state: Path) -> dict[str, str]:
    """Return the environment of a state folder of the measurement's own, without the vectors of the extra.

    They are made in the background, which would count for whatever is measured meanwhile; ``bench.semantic`` is theirs.
    """
    state.mkdir(parents=True, exist_ok=True)
    (state / "config.toml").write_text('[search]\nmodel = "off"\n', encoding="utf-8")
    return {**os.environ, "VAULT_SIDECAR_HOME": str(state)}


def run(arguments: list[str], environment: Mapping[str, str]) -> Finished:
    """Run our command to its end and measure it."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "sidecar", *arguments], env=environment, capture_output=True, text=True, check=True
    )
    wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Finished(wall, cpu, after.ru_maxrss / 1024, done.stdout)


class Server:
    """``mcp --embedded`` as a client starts it, with a socket pair for its standard streams (Linux)."""

    def __init__(self, vault: Path, environment: Mapping[str, str], stderr: IO[bytes] | None = None) -> None:
        ours, theirs = socket.socketpair()
        command = [sys.executable, "-m", "sidecar", "mcp", "--embedded", "--vault", str(vault)]
        self._process = subprocess.Popen(
            command, stdin=theirs.fileno(), stdout=theirs.fileno(), stderr=stderr, env=environment
        )
        theirs.close()
        self._client = Client(ours)

    def call(self, tool: str, arguments: Mapping[str, Any]) -> tuple[str, float, float]:
        """Call a tool; return its text, and the server's CPU seconds and the wall seconds it took."""
        cpu, begin = self.cpu(), time.perf_counter()
        result = self._client.request("tools/call", {"name": tool, "arguments": dict(arguments)})
        wall, cpu = time.perf_counter() - begin, self.cpu() - cpu
        text = "\n".join(item["text"] for item in result["content"])
        if result.get("isError"):
            raise RuntimeError(f"{tool}: {text}")
        return text, cpu, wall

    def cpu(self) -> float:
        """Return the CPU seconds of all its threads so far."""
        tasks = Path(f"/proc/{self._process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9

    def memory_mb(self) -> float:
        """Return its proportional share of memory."""
        for line in Path(f"/proc/{self._process.pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) / 1024
        raise RuntimeError("no Pss")

    def pending(self) -> int:
        """Return how many files wait to be indexed."""
        return int(self.status()["pending"])

    def status(self) -> dict[str, Any]:
        """Return what the process says of itself."""
        return self._client.request("sidecar/status", {})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._client.__exit__(kind, error, at)
        self._process.wait(30)


def percentiles(seconds: list[float]) -> dict[str, float]:
    """Return p50 and p95 in milliseconds."""
    ordered = sorted(seconds)
    return {
        "p50_ms": round(1000 * ordered[len(ordered) // 2], 2),
        "p95_ms": round(1000 * ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))], 2),
    }


def vault_hash(vault: Path) -> str:
    """Return one hash of all names, contents and times of a vault."""
    total = hashlib.sha256()
    for path in sorted(vault.rglob("*")):
        if path.is_file():
            total.update(f"{path.relative_to(vault)}\0{path.stat().st_mtime_ns}\0".encode() + path.read_bytes())
    return total.hexdigest()


def machine() -> str:
    """Describe the machine without naming it."""
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def commit() -> str:
    """Return the commit that is measured, marked when files differ from it."""
    rev = subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], capture_output=True, text=True, check=True)
    changed = subprocess.run(
        ["git", "status", "--porcelain", "--", "sidecar"], capture_output=True, text=True, check=True
    )
    return rev.stdout.strip() + ("+changes" if changed.stdout.strip() else "")
