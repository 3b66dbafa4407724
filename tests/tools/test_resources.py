"""Resources: our guides, every note by its address, and lists that follow the vault, in both protocol eras."""

import base64
import json
import os
import re

import pytest
from mcp import Client
from mcp_types import INVALID_PARAMS, BlobResourceContents, TextResourceContents

from sidecar.services.caller import Audience
from tests.conftest import Served
from tests.tools.talks import ERAS, Era, refused, run, talking

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def _aged(served: Served, path: str, text: str, seconds: int) -> None:
    os.utime(served.write(path, text), (1_700_000_000 - seconds,) * 2)


async def _text(client: Client, uri: str) -> str:
    (contents,) = (await client.read_resource(uri)).contents
    assert isinstance(contents, TextResourceContents)
    return contents.text


@pytest.mark.parametrize("era", ERAS)
def test_all_notes_are_listed_newest_first_and_page_by_page(served: Served, era: Era) -> None:
    for number in range(230):
        _aged(served, f"In/Note {number:03}.md", "x", number)
    served.write("picture.png", PIXEL)

    async def play() -> None:
        async with talking(served, era) as client:
            pages = [await client.list_resources()]
            while cursor := pages[-1].next_cursor:
                pages.append(await client.list_resources(cursor=cursor))
            listed = [str(r.uri) for page in pages for r in page.resources]
            assert listed[:3] == ["spec://canvas", "guide://vault-sidecar", "memory://ai_assistant_guide"]
            assert listed[3:] == [f"note://Vault/In/Note%20{number:03}.md" for number in range(230)]
            assert len(pages) == 3
            note = pages[0].resources[3]
            assert (note.name, note.title, note.mime_type, note.size) == (
                "In/Note 000.md",
                "Note 000",
                "text/markdown",
                1,
            )
            assert note.annotations is not None
            assert note.annotations.last_modified == "2023-11-14T22:13:20+00:00"
            for bad in ("nonsense", base64.urlsafe_b64encode(b'["Other"]').decode(), base64.b64encode(b"{}").decode()):
                assert (await refused(client.list_resources(cursor=bad))).error.code == INVALID_PARAMS

    run(play)


def test_a_page_begins_where_the_last_ended_though_notes_come_and_go(served: Served) -> None:
    for number in range(150):
        _aged(served, f"{number:03}.md", "x", number)

    async def play() -> None:
        async with talking(served, "auto") as client:
            first = await client.list_resources()
            (served.root / "000.md").unlink()
            served.write("New.md", "x")
            served.reindex()
            second = await client.list_resources(cursor=first.next_cursor)
            assert [r.name for r in second.resources] == [f"{number:03}.md" for number in range(100, 150)]

    run(play)


@pytest.mark.parametrize("era", ERAS)
def test_reading_gives_the_file_as_it_is(served: Served, era: Era) -> None:
    text = "---\ntags: [a]\n---\r\n# Überschrift\n\n" + "long line\n" * 5000
    served.write("Ordner/Ü & #1?.md", text)
    served.write("Map.canvas", "{}")
    served.write("Table.base", "views: []\n")
    served.write("picture.png", PIXEL)
    served.write("Empty.md", "")

    async def play() -> None:
        async with talking(served, era) as client:
            uri = "note://Vault/Ordner/%C3%9C%20%26%20%231%3F.md"
            assert uri in [str(r.uri) for r in (await client.list_resources()).resources]
            assert await _text(client, uri) == text
            assert await _text(client, "note://vault/ordner/Ü & #1?") == text
            assert await _text(client, "note://Vault/Empty.md") == ""
            for path, content_type in (("Map.canvas", "application/json"), ("Table.base", "application/yaml")):
                (contents,) = (await client.read_resource(f"note://Vault/{path}")).contents
                assert contents.mime_type == content_type
            (contents,) = (await client.read_resource("note://Vault/picture.png")).contents
            assert isinstance(contents, BlobResourceContents)
            assert contents.mime_type == "image/png"
            assert base64.b64decode(contents.blob).startswith(b"\x89PNG")

    run(play)


def test_the_guides_are_served_and_true(served: Served) -> None:
    served.write("Projects/Plan.md", "x")

    async def play() -> None:
        async with talking(served, "auto") as client:
            guide = await _text(client, "guide://vault-sidecar")
            assert await _text(client, "memory://ai_assistant_guide") == guide
            (sample,) = re.findall(r"```json\n(.*?)```", await _text(client, "spec://canvas"), re.DOTALL)
            drawn = await client.call_tool("canvas", {**json.loads(sample), "title": "Sample", "directory": ""})
            assert not drawn.is_error, drawn.content
            tools = {tool.name for tool in (await client.list_tools()).tools}
            assert set(re.findall(r"`([a-z]+_[a-z_]+)`", guide)) - {"expected_checksum"} <= tools

    run(play)


@pytest.mark.parametrize("era", ERAS)
def test_folders_tags_and_searches_can_be_read(served: Served, era: Era) -> None:
    served.write("A/One.md", "alpha #x/y")
    served.write("A/B/Two.md", "beta")

    async def play() -> None:
        async with talking(served, era) as client:
            templates = {t.uri_template for t in (await client.list_resource_templates()).resource_templates}
            assert templates == {
                "note://{project}/{+path}",
                "folder://{project}/{+path}",
                "tag://{project}/{tag}",
                "search://{project}/{query}",
            }
            assert "A/One.md" in await _text(client, "folder://Vault/A")
            assert "A/" in await _text(client, "folder://Vault/")
            assert "A/One.md" in await _text(client, "tag://Vault/x%2Fy")
            hits = await _text(client, "search://Vault/alp%2A")
            assert "A/One.md" in hits
            assert re.search(r"<([0-9a-f]{6})>alpha #x/y</\1>", hits)

    run(play)


MISSING = ["note://Vault/Nope.md", "note://Vault/Secret/Open.md", "note://Vault/Hidden.md", "note://Vault/Secret/"]


@pytest.mark.parametrize("era", ERAS)
def test_c27_denied_notes_do_not_exist(guarded: Served, era: Era) -> None:
    guarded.write("Secret/Open.md", "alpha #hush")
    guarded.write("Hidden.md", "---\nprivate: true\n---\nalpha")
    guarded.write("Seen.md", "alpha")

    async def play() -> None:
        async with talking(guarded, era) as client:
            errors = [await refused(client.read_resource(uri)) for uri in MISSING]
            assert {error.error.code for error in errors} == {INVALID_PARAMS if era == "auto" else -32_002}
            assert [error.error.data for error in errors] == [{"uri": uri} for uri in MISSING]
            for error in errors:
                assert "Seen" not in error.error.message
            names = [r.name for r in (await client.list_resources()).resources]
            assert names[3:] == ["Seen.md"]
            nothing = "Secret", "Hidden", "Open"
            for uri in ("folder://Vault/", "search://Vault/alpha", "tag://Vault/hush"):
                assert not [word for word in nothing if word in await _text(client, uri)]
        async with talking(guarded, era, audience=Audience.PERSON) as client:
            assert await _text(client, "note://Vault/Secret/Open.md") == "alpha #hush"

    run(play)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    "uri",
    [
        "note://Vault/../outside.md",
        "note://Vault/%2E%2E/outside.md",
        "note://Vault/.obsidian/app.json",
        "note://Other/Note.md",
        "search://Vault/",
        "other://Vault/Note.md",
        "note://",
        "nonsense",
    ],
)
def test_what_is_no_resource_is_refused(served: Served, era: Era, uri: str) -> None:
    served.write("Note.md", "x")

    async def play() -> None:
        async with talking(served, era) as client:
            assert (await refused(client.read_resource(uri))).error.code in (INVALID_PARAMS, -32_002)

    run(play)


def test_a_title_is_no_address(served: Served) -> None:
    served.write("Folder/Note.md", "---\ntitle: Other\n---\n")

    async def play() -> None:
        async with talking(served, "auto") as client:
            await refused(client.read_resource("note://Vault/Other"))
            await refused(client.read_resource("note://Vault/Note.md"))

    run(play)
