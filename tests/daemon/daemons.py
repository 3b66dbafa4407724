"""A state folder of a test's own, the daemon that runs in it, and clients of that daemon."""

import json
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import anyio
from mcp import Client, MCPError, StdioServerParameters

from sidecar.daemon import shim
from sidecar.daemon.endpoint import Endpoint, read_endpoint
from sidecar.daemon.lock import DaemonLock

Era = Literal["auto", "legacy"]
PATIENCE = 30.0


@dataclass
class Home:
    """Everything that daemons and shims of one test share."""

    root: Path
    vault: Path
    variables: dict[str, str] = field(default_factory=dict)
    started: "list[subprocess.Popen[bytes]]" = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("VAULT_SIDECAR")}
        folders = {
            "VAULT_SIDECAR_HOME": str(self.root),
            "VAULT_SIDECAR_DEFAULT_HOME": str(self.root.parent / "default"),
        }
        return {**kept, **folders, **self.variables}

    @property
    def endpoint(self) -> Endpoint | None:
        return read_endpoint(self.root / "run")

    @property
    def pid(self) -> int:
        until(lambda: self.endpoint is not None)
        assert self.endpoint is not None
        return self.endpoint.pid

    @property
    def log(self) -> str:
        file = self.root / "logs/daemon.log"
        return file.read_text() if file.exists() else ""

    def start(self, *arguments: str) -> "subprocess.Popen[bytes]":
        """Start our command and leave it running."""
        process = subprocess.Popen(
            [sys.executable, *arguments],
            env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self.started.append(process)
        return process

    def serve(self, *arguments: str) -> Endpoint:
        """Start a daemon in the foreground and wait until it listens."""
        self.start("-W", "error", "-m", "sidecar", "serve", *arguments)
        until(lambda: self.endpoint is not None)
        assert self.endpoint is not None
        return self.endpoint

    def command(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-W", "error", "-m", "sidecar", *arguments],
            env=self.environment, capture_output=True, text=True, check=False, timeout=PATIENCE,
        )  # fmt: skip

    @asynccontextmanager
    async def client(self, era: Era = "auto", *arguments: str) -> AsyncIterator[Client]:
        """Connect the SDK's client through the shim."""
        given = arguments or ("--vault", str(self.vault))
        server = StdioServerParameters(
            command=sys.executable, args=["-I", "-S", shim.__file__, *given], env=self.environment
        )
        async with Client(server, mode=era, read_timeout_seconds=60) as client:
            yield client

    def is_free(self) -> bool:
        """Tell whether no process holds the lock."""
        lock = DaemonLock(self.root / "run/daemon.lock")
        free = lock.acquire()
        lock.release()
        return free

    def end(self) -> None:
        """End whatever still runs."""
        for process in self.started:
            process.kill()
            process.communicate()
        if (self.root / "run").exists() and not self.is_free() and self.endpoint is not None:
            os.kill(self.endpoint.pid, 9)


def until(holds: Callable[[], object], seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


async def said(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, {**arguments, "output_format": "json"})
    assert not result.is_error, result.content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


async def said_at_last(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Try again while the daemon says that this may help."""
    with anyio.fail_after(PATIENCE):
        while True:
            try:
                return await said(client, tool, **arguments)
            except MCPError as error:
                if error.error.data != {"retryable": True}:
                    raise
                await anyio.sleep(0.05)


def message(method: str, number: int | None = None, **params: Any) -> bytes:
    ident = {} if number is None else {"id": number}
    return json.dumps({"jsonrpc": "2.0", **ident, "method": method, "params": params}).encode() + b"\n"
