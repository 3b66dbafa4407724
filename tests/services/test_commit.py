"""Planning and writing one after another: races with other programs, cancelled calls, agents before background work."""

import asyncio
import threading
from pathlib import Path

import pytest

from sidecar.model.change import Author
from sidecar.services.caller import Caller
from sidecar.tools.desk import Desk
from sidecar.tools.dispatch import call_tool
from sidecar.tools.families import tools_of
from tests.conftest import Served

CALLER = Caller(Author("test", "s"))


def test_an_edit_is_planned_again_when_the_file_changes_in_between(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.write("N.md", "one\n")
    opened = served.open()
    from sidecar.vault import writer

    real = writer.replace
    interrupted: list[bool] = []

    def replace_after_a_person(place: Path, data: bytes, expected: str, *, is_lasting: bool = True) -> None:
        if not interrupted:
            interrupted.append(True)
            place.write_text("one\nperson\n")
        real(place, data, expected, is_lasting=is_lasting)

    monkeypatch.setattr(writer, "replace", replace_after_a_person)
    made = served.ok("edit_note", identifier="N", operation="append", content="agent")
    assert served.read("N.md") == "one\nperson\nagent\n"
    assert interrupted
    states = {c["id"]: c["state"] for c in served.ok("history")["changes"]}
    assert states[made["change"]] == "done"
    assert sorted(states.values()) == ["done", "rolled back"]
    assert opened.journal.open_changes() == ()


def test_many_writers_lose_nothing(served: Served) -> None:
    served.write("Log.md", "# Log\n")
    desk, tools = Desk.tied_to(served.open().services), tools_of()

    async def play() -> None:
        await asyncio.gather(
            *(
                call_tool(
                    tools,
                    desk,
                    CALLER,
                    "edit_note",
                    {"identifier": "Log", "operation": "append", "content": f"- {n}"},
                )
                for n in range(40)
            )
        )

    asyncio.run(play())
    assert sorted(served.read("Log.md").splitlines()[1:]) == sorted(f"- {n}" for n in range(40))


def test_a_call_cancelled_before_its_turn_does_nothing(served: Served) -> None:
    opened = served.open()
    gate = threading.Event()
    opened.writer.submit(gate.wait)

    async def play() -> None:
        arguments = {"title": "N", "directory": "", "content": "x"}
        task = asyncio.create_task(
            call_tool(tools_of(), Desk.tied_to(opened.services), CALLER, "write_note", arguments)
        )
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        gate.set()

    asyncio.run(play())
    opened.writer.submit(lambda: None).result()
    assert not (served.root / "N.md").exists()
    assert opened.journal.changes() == ()


def test_an_agents_write_overtakes_background_work(served: Served) -> None:
    opened = served.open()
    for n in range(600):
        served.write(f"many/{n}.md", f"text {n}")
    opened.pipeline.reconcile()
    reply = served.call("write_note", title="Now", directory="", content="zebra")
    assert "still being indexed" in reply.blocks[0]
    assert "Now.md" in [r["file_path"] for r in served.ok("search_notes", query="zebra")["results"]]
    assert opened.pipeline.settle(60)
    assert served.ok("search_notes", query="text", page_size=1)["total"] == 600
