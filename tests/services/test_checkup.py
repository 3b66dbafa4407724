import asyncio

from sidecar.canvas.check import Severity
from sidecar.model.change import Author
from sidecar.services.caller import Audience, Caller
from tests.conftest import Served

PERSON = Caller(Author("test", "s"), Audience.PERSON)


def test_each_kind_of_fault_is_found_where_it_is(served: Served) -> None:
    served.write("Good.md", "[[Fine]] ^x\n")
    served.write("Fine.md", "x")
    served.write("Bad.md", "---\na: 1\nb: [\n---\nx [[Nowhere]]\n")
    served.write(
        "Board.canvas",
        '{"nodes":[{"id":"a","type":"file","file":"gone.md","x":0,"y":0,"width":1,"height":1},\n'
        '{"id":"b","type":"text","text":"[[gone]]","x":9,"y":0,"width":1,"height":1}]}',
    )
    served.write("Torn.canvas", '{"nodes":[')
    served.write("C#.md", "x")
    served.write("Note (Conflicted copy laptop 202611301200).md", "x")
    found = asyncio.run(served.open().services.checkup.look(PERSON))
    told = {(f.severity, f.kind, str(f.path)) for f in found}
    assert told == {
        (Severity.ERROR, "properties", "Bad.md"),
        (Severity.WARNING, "unresolved", "Bad.md"),
        (Severity.ERROR, "canvas_file_missing", "Board.canvas"),
        (Severity.WARNING, "unresolved", "Board.canvas"),
        (Severity.ERROR, "canvas", "Torn.canvas"),
        (Severity.WARNING, "name", "C#.md"),
        (Severity.WARNING, "conflict_copy", "Note (Conflicted copy laptop 202611301200).md"),
    }
    assert [f.line for f in found if f.path == "Bad.md" and f.kind == "unresolved"] == [5]
    assert [f.severity for f in found] == sorted(f.severity for f in found)
