"""A stand-in for the plugin in the app: polls over real HTTP, holds editors' texts, and does what it is asked as told."""

import hashlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import uvicorn

from tests.bridge.bridges import KEY, Bridge

PATIENCE = 20.0
CLAIM = "requests/{}/claim"
RESULT = "requests/{}/result"


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def edited(text: str, edits: list[dict[str, Any]]) -> str:
    """Apply edits whose offsets are UTF-16 code units of the old text."""
    units = text.encode("utf-16-le")
    for edit in reversed(edits):
        units = units[: 2 * edit["start"]] + edit["text"].encode("utf-16-le") + units[2 * edit["end"] :]
    return units.decode("utf-16-le")


def until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.005)


@contextmanager
def over_http(bridge: Bridge) -> Iterator[str]:
    """Serve a bridge at a port of its own."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(bridge.app, log_level="error", lifespan="off", timeout_graceful_shutdown=2))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    until(lambda: server.started)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1/"
    finally:
        bridge.vault.events.close()
        server.should_exit = True
        thread.join()
        listener.close()


@dataclass
class ScriptedPlugin:
    """One loaded plugin. The flags say how it fails; ``typed`` is what the person types while a note is saved."""

    url: str
    root: Path
    client: str = "one"
    editors: dict[str, str] = field(default_factory=dict)
    tabs: list[str] = field(default_factory=list)
    unsaved: list[str] = field(default_factory=list)
    claims: bool = True
    acts: bool = True
    answers: bool = True
    typed: str = ""
    fails: bool = False
    meanwhile: Callable[[dict[str, Any]], object] = lambda _event: None
    heard: list[dict[str, Any]] = field(default_factory=list)
    replies: list[int] = field(default_factory=list)
    _stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def post(self, route: str, **body: Any) -> int:
        response = httpx2.post(self.url + route, params={"vault": KEY}, json={"client_id": self.client, **body})
        self.replies.append(response.status_code)
        return response.status_code

    def show(self, *paths: str, **said: Any) -> None:
        """Open notes in editors, other files in tabs, and tell so."""
        for path in paths:
            if path not in self.tabs:
                self.tabs.append(path)
            if path.endswith(".md"):
                self.editors[path] = (self.root / path).read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        self.tell(**said)

    def tell(self, **said: Any) -> None:
        context = {
            "window_id": "main", "active_file": None, "selection": None, "open_files": self.tabs, "unsaved": self.unsaved,
        }  # fmt: skip
        assert self.post("context", **{**context, **said}) == 200

    def start(self) -> "ScriptedPlugin":
        cursor = self._poll({})["cursor"]
        self._thread = threading.Thread(target=self._run, args=(cursor,))
        self._thread.start()
        return self

    def stop(self) -> None:
        self._stop.set()
        if self._thread is not None:
            self._thread.join()

    def _poll(self, query: dict[str, Any]) -> Any:
        params = {"vault": KEY, "client": self.client, **query}
        return httpx2.get(self.url + "events", params=params, timeout=30).json()

    def _run(self, cursor: int) -> None:
        while not self._stop.is_set():
            batch = self._poll({"after": cursor, "wait": 0.2})
            cursor = batch["cursor"]
            for event in batch["events"]:
                if event["type"].endswith("_request"):
                    self.heard.append(event)
                    self._serve(event["type"], event["data"])

    def _serve(self, kind: str, data: dict[str, Any]) -> None:
        if not self.claims:
            return
        if kind == "write_request" and data["path"] not in self.editors:
            self.post(RESULT.format(data["id"]), outcome="failed")
            return
        if self.post(CLAIM.format(data["id"])) != 200:
            return
        self.meanwhile(data)
        if not self.acts:
            return
        outcome: dict[str, Any] = {"outcome": "failed"} if self.fails else getattr(self, f"_{kind}")(data)
        if self.answers:
            self.post(RESULT.format(data["id"]), **outcome)

    def _write_request(self, data: dict[str, Any]) -> dict[str, Any]:
        path = data["path"]
        if sha256(self.editors[path].encode()) != data["expected_sha256"]:
            return {"outcome": "conflict"}
        self.editors[path] = edited(self.editors[path], data["edits"])
        assert sha256(self.editors[path].encode()) == data["new_sha256"]
        self.editors[path] += self.typed
        saved = self.editors[path].encode()
        (self.root / path).write_bytes(saved)
        return {"outcome": "done", "sha256": sha256(saved)}

    def _rename_request(self, data: dict[str, Any]) -> dict[str, Any]:
        to = self.root / data["to"]
        to.parent.mkdir(parents=True, exist_ok=True)
        (self.root / data["path"]).rename(to)
        if data["path"] in self.editors:
            self.editors[data["to"]] = self.editors.pop(data["path"])
        return {"outcome": "done"}

    def _trash_request(self, data: dict[str, Any]) -> dict[str, Any]:
        (self.root / ".trash").mkdir(exist_ok=True)
        (self.root / data["path"]).rename(self.root / ".trash" / Path(data["path"]).name)
        return {"outcome": "done"}

    def _open_request(self, _data: dict[str, Any]) -> dict[str, Any]:
        return {"outcome": "done"}
