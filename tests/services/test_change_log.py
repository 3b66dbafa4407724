"""The journal page by page; what the bridge makes of it is tested there."""

import asyncio

import pytest

from sidecar.model.change import RecordedChange
from sidecar.services.change_log import ChangeLog
from tests.conftest import Served


def log_of(served: Served) -> ChangeLog:
    return served.open().services.change_log


def test_it_tells_of_each_change_once_it_is_done(served: Served) -> None:
    told: list[RecordedChange] = []
    stop = log_of(served).subscribe(told.append)
    first = served.ok("write_note", title="A", directory="", content="x")["change"]
    served.fails("write_note", "invalid", title="A", directory="", content="y", overwrite="perhaps")
    undone = served.ok("undo", change=first)["change"]
    stop()
    served.ok("write_note", title="B", directory="", content="x")
    assert [change.id for change in told] == [first, undone]
    assert all(change.state.value == "done" for change in told)


def test_a_listener_that_fails_spoils_no_write(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    def broken(_change: RecordedChange) -> None:
        raise ValueError

    log_of(served).subscribe(broken)
    assert served.ok("write_note", title="A", directory="", content="x")["action"] == "created"
    assert "A listener failed" in caplog.text


def test_binary_files_and_forgotten_bytes_have_no_lines(served: Served) -> None:
    served.write("P.png", b"\x89PNG\x00")
    served.write("N.md", "one\n")
    log = log_of(served)
    picture = served.ok("delete_note", identifier="P.png")["change"]
    note = served.ok("edit_note", identifier="N", operation="append", content="two")["change"]
    (deleted,) = asyncio.run(log.diff(picture)).files
    assert (deleted.binary, deleted.hunks) == (True, ())
    with served.open().journal._database.writing() as connection:
        connection.execute("DELETE FROM blobs")
    (edited,) = asyncio.run(log.diff(note)).files
    assert (edited.binary, edited.hunks) == (True, ())
    page = asyncio.run(log.page())
    assert [(e.added, e.removed) for shown in page.changes for e in shown.entries] == [(None, None), (None, None)]


def test_the_newest_is_that_of_the_journal(served: Served) -> None:
    log = log_of(served)
    assert log.newest() is None
    change = served.ok("write_note", title="A", directory="", content="x")["change"]
    assert log.newest() == change
