import io
import json

from sidecar.model.file import FileStat
from sidecar.model.note import BlockId, ParsedFile
from sidecar.model.path import VaultPath
from sidecar.parse.file import parse_file
from sidecar.pipeline.build.wire import ReadFile, file_of, json_of, read_frame, write_frame

NOTE = """---
aliases: [One, Two]
tags: [a/b, "\\ud83d"]
nested: {x: [1, 2.5, null, true, .inf]}
up: "[[Target]]"
---
# Heading

- [fact] content #tag (context)
- relates to [[Other#Part|shown]] (why)
- [ ] a task
    - [x] below it ^block

![[Embed.png]] and [md](path%20to.md "title")
"""


def over_the_wire(file: ReadFile) -> ReadFile:
    stream = io.BytesIO()
    write_frame(stream, json_of(file))
    stream.seek(0)
    return file_of(read_frame(stream))


def with_body(file: ReadFile, body: str) -> ParsedFile:
    from dataclasses import replace

    return replace(file.parsed, body=body)


def test_a_file_arrives_as_it_was_read_but_for_its_text() -> None:
    cards = json.dumps(
        {"nodes": [{"id": "1", "type": "text", "text": "[[N]] #t", "x": 0, "y": 0, "width": 9, "height": 9}]}
    )
    for name, text in (
        ("Folder/N.md", NOTE),
        ("caf\udce9.md", "x"),
        ("C.canvas", cards),
        ("Bad.canvas", "{"),
        ("B.base", "views: ["),
        ("bad.md", "---\na: [\n---\n"),
        ("p.png", ""),
    ):
        path = VaultPath(name)
        parsed = parse_file(path, text.encode())
        file = ReadFile(FileStat(path, 1 << 62, 5, here=False), "ab" * 32, 17, True, parsed)
        arrived = over_the_wire(file)
        assert with_body(arrived, parsed.body) == parsed
        assert (arrived.stat, arrived.hash, arrived.read_ns, arrived.is_indexed) == (file.stat, file.hash, 17, True)
        assert arrived.parsed.body == ""
        assert isinstance(arrived.parsed.path, VaultPath)
        assert [type(link.kind) for link in arrived.parsed.links] == [type(link.kind) for link in parsed.links]
        assert all(isinstance(observation.tags, tuple) for observation in arrived.parsed.observations)
    assert BlockId("block", 12) in parse_file(VaultPath("N.md"), NOTE.encode()).block_ids


def test_frames_that_are_not_whole_are_none() -> None:
    stream = io.BytesIO()
    write_frame(stream, {"a": 1})
    whole = stream.getvalue()
    assert read_frame(io.BytesIO(whole + whole)) == {"a": 1}
    assert [read_frame(io.BytesIO(whole[:size])) for size in range(len(whole))] == [None] * len(whole)
