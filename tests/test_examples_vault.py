"""The example vault is a valid Obsidian vault, and its manual speaks of what there is."""

import asyncio
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from sidecar.app import OpenVault, open_vault
from sidecar.canvas.check import check
from sidecar.canvas.codec import dumps, loads
from sidecar.catalog.resolve import name_index, resolve
from sidecar.cli.main import app
from sidecar.config import Settings, StateFolder
from sidecar.model.change import Author
from sidecar.model.note import FileKind, Link, ParsedFile, kind_of
from sidecar.model.path import VaultPath, check_new_path
from sidecar.parse.file import parse_file
from sidecar.services.caller import Audience, Caller

AGENT = Caller(Author("test", "test"), Audience.AGENT)
ROOT = Path(__file__).parent.parent
VAULT = ROOT / "examples-vault"
PATHS = tuple(
    VaultPath(file.relative_to(VAULT).as_posix())
    for file in sorted(VAULT.rglob("*"))
    if file.is_file() and not any(part.startswith(".") for part in file.relative_to(VAULT).parts)
)
NOTES = tuple(path for path in PATHS if kind_of(path) is FileKind.NOTE)
CANVASES = tuple(path for path in PATHS if kind_of(path) is FileKind.CANVAS)
MANUAL = tuple(path for path in NOTES if path.is_under("Manual"))
MEMORIES = tuple(path for path in NOTES if path.is_under("Memory") and path.basename != "MEMORY")
SETTINGS = tuple(sorted((VAULT / ".obsidian").glob("*.json")))

WINDOWS_NOTE = VaultPath("Projects/Rainwater tank/Budget.md")
NOTE_WITHOUT_LAST_LINE_BREAK = VaultPath("Daily/2026-11-27.md")
# As Claude Code writes it, the index of memories has no properties.
NOTE_WITHOUT_PROPERTIES = VaultPath("Memory/MEMORY.md")
# Their values are objects, for which Obsidian has no type.
OBJECTS = frozenset({"metadata", "schema", "settings"})

# Words of the manual that look like tools and are none: operations, parameters, settings, kinds of relations.
NOT_TOOLS = frozenset({
    "find_replace", "replace_section", "insert_before_section", "insert_after_section", "dry_run", "include_excluded",
    "metadata_filters", "search_type", "read_only", "depends_on",
})  # fmt: skip
MACHINE_PATH = re.compile(r"/(?:home|Users|root|tmp|work|mnt)/|[A-Za-z]:\\\\?\w")


@cache
def parsed(path: VaultPath) -> ParsedFile:
    return parse_file(path, (VAULT / path).read_bytes())


def links() -> Iterator[tuple[VaultPath, Link, VaultPath | None]]:
    names = name_index(PATHS)
    for path in (*NOTES, *CANVASES):
        for link in parsed(path).links:
            yield path, link, resolve(link.linkpath, path, names).target


def text_of(path: VaultPath) -> str:
    return (VAULT / path).read_text("utf-8")


def comparable(heading: str) -> str:
    return " ".join(re.sub(r"[!\"#$%&()*+,.:;<=>?@^`{|}~/\[\]\\]", " ", heading).split()).lower()


@pytest.mark.parametrize("path", PATHS)
def test_f1_every_name_is_legal_everywhere(path: VaultPath) -> None:
    check_new_path(path)


@pytest.mark.parametrize("path", NOTES)
def test_y1_properties_parse(path: VaultPath) -> None:
    assert parsed(path).problem is None
    assert bool(parsed(path).properties) == (path != NOTE_WITHOUT_PROPERTIES)


def test_every_property_has_a_type() -> None:
    types = json.loads((VAULT / ".obsidian/types.json").read_text("utf-8"))["types"]
    assert {name for path in NOTES for name in parsed(path).properties} - OBJECTS <= set(types)
    assert set(types.values()) == {
        "text", "multitext", "number", "checkbox", "date", "datetime", "tags", "aliases",
    }  # fmt: skip


@pytest.mark.parametrize("path", SETTINGS, ids=lambda path: path.name)
def test_a10_settings_have_obsidians_form(path: Path) -> None:
    text = path.read_bytes().decode()
    assert text == json.dumps(json.loads(text), indent=2, ensure_ascii=False)


@pytest.mark.parametrize("path", CANVASES)
def test_j2_canvas_survives_a_round_trip(path: VaultPath) -> None:
    text = (VAULT / path).read_bytes().decode()
    assert dumps(loads(text)) == text
    assert not text.endswith("\n")


@pytest.mark.parametrize("path", CANVASES)
def test_canvas_has_no_faults(path: VaultPath) -> None:
    assert list(check(loads(text_of(path)), lambda file: VaultPath(file) in PATHS)) == []


def test_r10_one_link_is_unresolved_on_purpose() -> None:
    assert [(path, link.linkpath) for path, link, target in links() if target is None] == [
        ("Meetings/2026-11-28 Winter meeting.md", "Beehive trial")
    ]


def test_b22_b23_links_to_headings_and_blocks_arrive() -> None:
    lost = []
    for path, link, target in links():
        if target is None or not link.subpath or kind_of(target) is not FileKind.NOTE:
            continue
        name = link.subpath[1:]
        there = (
            {f"^{block.name}" for block in parsed(target).block_ids}
            if name.startswith("^")
            else {comparable(heading.text) for heading in parsed(target).headings}
        )
        if (name if name.startswith("^") else comparable(name)) not in there:
            lost.append((path, link.raw))
    assert lost == []


def test_r8_two_notes_share_a_name() -> None:
    names = name_index(PATHS)
    beside = resolve("Budget", VaultPath("Projects/Rainwater tank/Rainwater tank.md"), names)
    elsewhere = resolve("Budget", VaultPath("Start here.md"), names)
    assert beside.target == WINDOWS_NOTE
    assert elsewhere.target == "Areas/Budget.md"


def test_y7_line_ends_are_what_the_manual_says() -> None:
    for path in NOTES:
        data = (VAULT / path).read_bytes()
        assert data.count(b"\r\n") == (data.count(b"\n") if path == WINDOWS_NOTE else 0), path
        assert data.endswith(b"\n") != (path == NOTE_WITHOUT_LAST_LINE_BREAK), path


def test_private_note_keeps_its_secret_to_itself() -> None:
    private = [path for path in NOTES if parsed(path).properties.get("private") is True]
    assert private == ["Areas/Gate code.md"]
    assert [path for path in NOTES if "hollyhock" in text_of(path)] == private


def test_no_file_names_a_place_on_a_machine() -> None:
    for file in VAULT.rglob("*"):
        if file.is_file():
            assert MACHINE_PATH.search(file.read_text("utf-8", errors="replace")) is None, file


@pytest.mark.parametrize("path", MANUAL)
def test_manual_names_only_tools_there_are(path: VaultPath) -> None:
    tools = {file.stem for file in (ROOT / "sidecar/tools").glob("*/*.py")}
    named = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", text_of(path))) - NOT_TOOLS
    if path.basename == "What Vault Sidecar does":
        rows = re.findall(r"^\| (`.+`) \|", text_of(path), re.MULTILINE)
        assert len(rows) == 13
        named.update(name for row in rows for name in re.findall(r"`(\w+)`", row))
    assert named <= tools


@pytest.mark.parametrize("path", MANUAL)
def test_manual_names_only_commands_there_are(path: VaultPath) -> None:
    commands = {command.name for command in app.registered_commands}
    commands |= {group.name for group in app.registered_groups}
    assert set(re.findall(r"(?:^|`|> ?)vault-sidecar ([a-z]+)", text_of(path), re.MULTILINE)) <= commands


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenVault]:
    opened = open_vault(VAULT, StateFolder(tmp_path_factory.mktemp("state")), Settings())
    opened.index_now()
    yield opened
    opened.close()


def found(indexed: OpenVault, query: str) -> list[VaultPath]:
    results = asyncio.run(indexed.services.search.find(AGENT, query=query)).results
    return [result.path for result in results if result.path not in MANUAL]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        # What the manual proposes to try, without the manual's own pages.
        ("tank gutter", "Projects/Rainwater tank/Rainwater tank.md"),
        ("tank AND gutter", "Projects/Rainwater tank/Rainwater tank.md"),
        ("tomatoes OR chillies", "Resources/Jalapeño.md"),
        ('"leaf mould"', "Areas/Composting.md"),
        ("(tank OR gutter) AND frost", "Projects/Rainwater tank/Rainwater tank.md"),
        ("tag:book roof", "Resources/Books/Forty Buckets of Rain.md"),
        ("status:active", "Projects/Rainwater tank/Rainwater tank.md"),
        ("path:Meetings", "Meetings/2026-11-28 Winter meeting.md"),
        ("path:Daily frost", "Daily/2026-11-27.md"),
        ('"first flush"', "Projects/Rainwater tank/Rainwater tank.md"),
        ("creche", "Projects/Spring beds.md"),
        ("tag:recipe", "Resources/Jalapeño.md"),
        ("tag:وصفة", "Resources/شاي النعناع.md"),
        ("腐葉土", "Resources/落ち葉堆肥.md"),
        ("温", "Resources/落ち葉堆肥.md"),
        ("[capacity-litres:>1000]", "Projects/Rainwater tank/Rainwater tank.md"),
        ("[rating:null]", "Resources/Books/A Cold Frame of Mind.md"),
        ("task-todo:gutter", "Projects/Rainwater tank/Rainwater tank.md"),
        ("task-done:slates", "Daily/2026-11-26.md"),
        ("task:(order tank)", "Projects/Rainwater tank/Rainwater tank.md"),
    ],
)
def test_searches_of_the_manual_find_what_they_should(indexed: OpenVault, query: str, first: str) -> None:
    results = found(indexed, query)
    # Without a word to rank by the newest file is first, and after a checkout all are equally new.
    assert first in results if ":" in query else results[:1] == [first]


@pytest.mark.parametrize("query", ["roof gutt", "gutt* roof"])
def test_beginnings_of_words_are_enough(indexed: OpenVault, query: str) -> None:
    assert "Projects/Rainwater tank/Rainwater tank.md" in found(indexed, query)


def test_searches_that_exclude(indexed: OpenVault) -> None:
    assert found(indexed, "tank NOT budget") == found(indexed, "tank -budget") != []
    assert not {WINDOWS_NOTE, "Projects/Rainwater tank/Rainwater tank.md"} & set(found(indexed, "tank -budget"))


def test_c27_agents_do_not_find_the_private_note(indexed: OpenVault) -> None:
    assert found(indexed, "hollyhock") == []
    assert found(indexed, "tag:garden/keys") == []


def test_members_are_as_their_schema_says(indexed: OpenVault) -> None:
    report = asyncio.run(indexed.services.schemas.validate(AGENT, note_type="person"))
    assert [(note.path.basename, note.errors, note.warnings) for note in report.results] == [
        ("Amara Osei", (), ()), ("Misaki Tanaka", (), ()), ("Tomás Ferreira", (), ()),
    ]  # fmt: skip


def test_memories_are_in_order_and_in_the_index(indexed: OpenVault) -> None:
    assert len(MEMORIES) == 3
    report = asyncio.run(indexed.services.memories.check.check(AGENT))
    assert list(report.findings) == []
    index = [link.linkpath for link in parsed(NOTE_WITHOUT_PROPERTIES).links]
    assert index == [path.name for path in MEMORIES]


def test_picture_is_small() -> None:
    data = (VAULT / "Resources/Attachments/bed plan.png").read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert len(data) <= 6_000
