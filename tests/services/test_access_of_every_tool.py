"""To an agent a denied note does not exist: every tool answers as in a twin of the vault that never had it."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from sidecar.config import AccessSettings, Settings, StateFolder
from sidecar.model.path import VaultPath
from sidecar.services.mention import path_id
from sidecar.tools.families import FAMILIES
from tests.conftest import Served

DENIED = """\
---
title: Xanadu Title
aliases: [Xanadu Alias, Second Alias]
tags: [xanadutag, garden]
permalink: xanadu-permalink
xanaduproperty: xanaduvalue
type: xanadutype
status: xanadustatus
up: "[[Open]]"
---
# Xanadu Heading

xanaduword garden, see [[Open]] and [[Folder/Inner]]. ^xanadublock

- [xanaducategory] xanadufact #garden
- xanadurelation [[Open]]
- [ ] xanadutask
"""
CANVAS = (
    '{"nodes":[{"id":"x1","type":"text","text":"xanaducard [[Open]]","x":0,"y":0,"width":9,"height":9}],"edges":[]}'
)
HIDDEN_IN = {
    "Secret/Xanadu.md": DENIED,
    "Secret/Deep/Xanadu map.canvas": CANVAS,
    "Secret/xanadu.png": "xanaduimage",
    "Hidden/Xanadu2.md": DENIED,
    "Folder/Xanadu3.md": "---\nprivate: true\n" + DENIED.removeprefix("---\n"),
    "Xanadu alone/Xanadu4.md": "---\nprivate: true\n---\n",
    "Memory/xanadu-memory.md": "---\nprivate: true\nname: xanadu fact\ndescription: xanaduword garden\n---\n[[garden-fact]]",
    "Folder/Broken.md": "---\nprivate: true\ntitle: [\n---\nxanaduword garden [[Open]]",
}
VISIBLE = {
    ".mcpignore": "Hidden/\n",
    ".obsidian/app.json": '{"trashOption":"local"}',
    "Open.md": "---\ntags: [garden]\n---\n# Open\n\ngarden [[Xanadu]] ![[Xanadu map.canvas]] [[Xanadu3]] [[Inner]]\n\n"
    "- knows [[Xanadu]]\n- knows [[Xanadu Alias]]\n- knows [[Inner]]\n",
    "Folder/Inner.md": "garden [[Open]] [[Xanadu2|shown]] xanaduproperty garden\n",
    "Folder/Map.canvas": '{"nodes":[{"id":"a","type":"file","file":"Secret/Xanadu.md","x":0,"y":0,"width":9,"height":9}]}',
    "Sources/S.md": "garden source",
    "Memory/garden-fact.md": "---\ndescription: garden\nmetadata:\n  type: project\n---\ngarden [[xanadu-memory]] [[Open]]\n",
    "Memory/MEMORY.md": "- [X](xanadu-memory.md) — xanaduword\n- [G](garden-fact.md) — garden\n",
}
NAMES = [
    "Xanadu", "xanadu3", "Xanad", "Xanadu Title", "Xanadu Alias", "second alias", "xanadu-permalink", "[[Xanadu]]",
    "Secret/Xanadu", "secret/xanadu.md", "Secret", "Secre", "Secret/Deep", "Hidden/Xanadu2.md", "Folder/Xanadu3.md",
    "Folder/Broken.md", "Secret/xanadu.png", "Xanadu map.canvas", "memory://Secret/Xanadu", "memory://secret/*",
    "xanadu*", "*", "Folder/*", "Xanadu#Xanadu Heading", "Open", "Folder", "/",
]  # fmt: skip
QUERIES = [
    "xanaduword", "garden", "xanaduw*", "tag:#xanadutag", "tag:#garden", "xanaduproperty:xanaduvalue", "xanaduproperty:garden",
    "path:xanadu",
    "path:secret", '"xanaduword garden"', "-garden", "garden OR xanaduword", "garden -xanaduword", "xanaducard",
]  # fmt: skip
MORE: Mapping[str, list[dict[str, Any]]] = {
    "write_note": [
        {"content": "- knows [[Xanadu]]\n- knows [[Open]]\n- knows [[Xanadu Alias]]"},
        {"metadata": {"up": "[[Xanadu]]"}},
        {"directory": "Secret", "title": "Xanadu", "overwrite": True},
        {"directory": "secret/deep", "title": "New", "overwrite": True},
        {"directory": "Hidden", "title": "New"},
        {"directory": "Sources", "title": "S", "overwrite": True},
    ],
    "edit_note": [{"operation": "find_replace", "find_text": "garden", "identifier": name} for name in NAMES],
    "canvas": [
        {"nodes": [{"id": "n", "type": "file", "file": path}]} for path in (*HIDDEN_IN, *VISIBLE, "Secret/None.md")
    ]
    + [
        {"directory": "secret/deep", "title": title, "overwrite": overwrite}
        for title in ("Xanadu map", "xanadu MAP", "Other")
        for overwrite in (True, False)
    ],
    "canvas_read": [
        {"path": name, "detail": detail} for name in (*NAMES, "Map", "Folder/Map") for detail in ("outline", "full")
    ]
    + [{"positions": True}],
    "canvas_map": [
        {"source": f"{kind}:{name}", "group_by": by, "color_by": by}
        for kind, by in (("note", "xanaduproperty"), ("search", "folder"), ("folder", "status"), ("property", "tag"))
        for name in (*NAMES, *QUERIES, "xanaduproperty", "xanaduproperty=xanaduvalue", "status")
    ]
    + [{"source": f"tag:{tag}", "depth": 2} for tag in ("xanadutag", "garden", "xan")]
    + [{"source": [name, "Open"]} for name in NAMES]
    + [{"path": name} for name in ("Folder/Made", "Secret/Made", "xanadu map", "Secret/Deep/Xanadu map")],
    "canvas_edit": [
        {"operations": [{"op": "add", "file": name, "near": near}]} for name in NAMES for near in ([], ["Xanadu"])
    ]
    + [{"operations": [{"op": op, "card": name}]} for name in NAMES for op in ("remove", "update", "ungroup")]
    + [{"operations": [{"op": "connect", "from": name, "to": "garden"}]} for name in NAMES],
    "recent_activity": [
        {"type": ["entity", "observation", "relation"], "timeframe": "30d", "page_size": n} for n in (2, 100)
    ],
    "list_directory": [{"depth": 10}, {"dir_name": "Folder", "depth": 3}, {"depth": 10, "page_size": 2, "page": 2}],
    "search_notes": [{"query": q, "include_excluded": True, "page_size": 1, "page": p} for q in QUERIES for p in (1, 2)]
    + [{"query": name, "search_type": kind} for name in NAMES for kind in ("title", "permalink", "semantic")]
    + [
        {"query": q, "entity_types": ["entity", "observation", "relation"], "context_lines": 2}
        for q in (*QUERIES, "knows")
    ]
    + [{"query": None, "categories": [name]} for name in ("xanaducategory", "Xanadu")]
    + [{"query": "*", "search_type": "permalink", "entity_types": ["observation", "relation"]}]
    + [
        {"query": None, "metadata_filters": {name: value}}
        for name in ("xanaduproperty", "status", "tags", "up", "type")
        for value in ("xanaduvalue", "xanadutag", None, {"$exists": True}, {"$ne": "xanadutype"}, {"$gt": "a"})
    ]
    + [{"after_date": "2001-01-01", "sort": sort} for sort in ("title_asc", "created_desc", "updated_desc")],
    "schema_validate": [{"note_type": kind} for kind in ("note", "xanadutype")],
    "schema_infer": [{"note_type": kind, "threshold": share} for kind in ("note", "xanadutype") for share in (0, 0.5)],
    "schema_diff": [{"note_type": "note"}],
    "build_context": [{"url": "Open", "depth": n, "timeframe": None} for n in (1, 2, 5)] + [{"url": "*", "depth": 2}],
    "links": [
        {"identifier": name, "direction": kind, **more}
        for name in (None, "Open", "Folder/Inner.md", "Folder/Map.canvas")
        for kind in ("backlinks", "outgoing", "mentions", "unresolved", "all", "hubs", "orphans")
        for more in ({}, {"depth": 3}, {"folder": "Secret"}, {"tag": "garden"}, {"to": "Folder/Inner.md"})
    ]
    + [{"identifier": name, "direction": "mentions"} for name in NAMES],
    "link_mentions": [{"identifier": name, "dry_run": dry_run} for name in NAMES for dry_run in (True, False)]
    + [{"mentions": [f"{digits}0123456789"]} for digits in (path_id(VaultPath(path)) for path in HIDDEN_IN)],
    "history": [
        {"diff": True},
        {"limit": 1, "diff": True},
        {"identifier": "Later"},
        {"identifier": "Later", "diff": True},
    ],
    "undo": [{"since": "7d", "dry_run": True}, {"session": "s1", "dry_run": True}, {"dry_run": True}],
    "read_note": [{"identifier": name, "include_frontmatter": True} for name in NAMES],
    "move_note": [
        {"destination_path": name, "destination_folder": None}
        for name in (*NAMES, "xanadu.png")
        if "Folder/" not in name
    ]
    + [{"identifier": name, "is_directory": True} for name in NAMES]
    + [
        {"identifier": "Moved/Folder", "is_directory": True, "destination_path": name, "destination_folder": None}
        for name in ("Secret", "Xanadu alone", "Folder", "Secret/Deep", "Sources/F")
    ],
    "delete_note": [{"identifier": name, "is_directory": True} for name in NAMES],
    **{
        tool: [{"name": name} for name in ("xanadu-memory", "xanadu fact", "Xanadu_Memory")]
        for tool in ("recall_get", "recall_links", "recall_update", "recall_delete")
    },
    "recall_save": [
        {"name": name, "description": "xanaduword garden", "body": body}
        for name in ("new-one", "garden-fact")
        for body in ("[[xanadu-memory]] [[Xanadu]]", "[[Open]]")
    ],
    "recall_list": [{"limit": 1, "offset": n} for n in range(3)],
    "recall_brief": [{"budget": n} for n in (100, 5000)],
    "recall_check": [{"fix": ["all"]}],
    "memory": [
        {"command": command, "path": f"/memories/{name}", **more}
        for name in ("xanadu-memory.md", "garden-fact.md", "xanadu", "")
        for command, more in (
            ("view", {}),
            ("str_replace", {"old_str": "garden", "new_str": "garden "}),
            ("insert", {"insert_line": 0, "insert_text": "x"}),
        )
    ]
    + [
        {"command": "rename", "old_path": f"/memories/{name}", "new_path": "/memories/moved.md"}
        for name in ("xanadu-memory.md", "xanadu", "")
    ],
    "bm_list": [{"path": f"/Vault/{name}"} for name in NAMES] + [{"page_size": 1, "page": n} for n in (1, 2)],
    "bm_find": [
        {"fields": ["xanaduproperty", "status", "title"], "sort": order} for order in ("title_asc", "created_desc")
    ]
    + [
        {"meta": [condition], "fields": ["up"]}
        for condition in (
            "xanaduproperty",
            "xanaduproperty missing",
            "status=xanadustatus",
            "status!=xanadustatus",
            "type=xanadutype",
            "type!=note",
            "tags has xanadutag",
            "tags has garden",
            "tags!=garden",
            "permalink>a",
            "private exists",
        )
    ],
}
"""Combinations that matter beside those of one parameter at a time."""
LEAST: Mapping[str, dict[str, Any]] = {
    "links": {"identifier": "Open"},
    "link_mentions": {"identifier": "Folder/Inner.md", "mentions": ["all"], "dry_run": True},
    "canvas_read": {"path": "Folder/Map.canvas"},
    "canvas_map": {"path": "Folder/Map.canvas", "source": "note:Open"},
    "canvas_arrange": {"path": "Folder/Map.canvas"},
    "canvas_preview": {"path": "Folder/Map.canvas"},
    "canvas_edit": {"path": "Folder/Map.canvas", "operations": [{"op": "add", "text": "garden"}]},
    "write_note": {"title": "Made", "content": "x", "directory": "Made", "overwrite": True},
    "edit_note": {"identifier": "Open", "operation": "append", "content": "more"},
    "read_note": {"identifier": "Open"},
    "view_note": {"identifier": "Open"},
    "read_content": {"path": "Open.md"},
    "build_context": {"url": "Open"},
    "search_notes": {"query": "garden"},
    "search": {"query": "garden"},
    "fetch": {"id": "Open.md"},
    "canvas": {"title": "Drawn", "directory": "Made", "nodes": [], "edges": [], "overwrite": True},
    "move_note": {"identifier": "Public", "destination_folder": "Moved"},
    "delete_note": {"identifier": "Public"},
    "undo": {"dry_run": True},
    "history": {},
    "recent_activity": {},
    "schema_validate": {},
    "schema_infer": {"note_type": "xanadutype"},
    "schema_diff": {"note_type": "xanadutype"},
    "list_directory": {},
    "list_memory_projects": {},
    "create_memory_project": {"project_name": "Other", "project_path": "~/Other notes"},
    "delete_project": {"project_name": "Other"},
    "list_workspaces": {},
    "cloud_info": {},
    "release_notes": {},
    "bm_list": {},
    "bm_find": {},
    "obsidian": {"action": "open", "target": "Open"},
    "recall_save": {
        "name": "made",
        "description": "garden",
        "type": "user",
        "body": "[[xanadu-memory]]",
        "overwrite": True,
    },
    "recall_get": {"name": "garden-fact"},
    "recall_search": {"query": "garden"},
    "recall_list": {},
    "recall_links": {"name": "garden-fact", "include_notes": True},
    "recall_delete": {"name": "made"},
    "recall_update": {"name": "garden-fact", "append": "more"},
    "recall_brief": {},
    "recall_check": {},
    "memory": {"command": "view", "path": "/memories"},
}
"""For each tool the arguments to begin with; a new tool has to be entered here."""
UNTOLD = frozenset(
    {"project", "project_id", "output_format", "reason", "expected_checksum", "change", "session", "client"}
)
"""Parameters that name nothing in the vault."""
TOOLS = {tool.name: tool for family in FAMILIES.values() for tool in family}


TAKEN = {(n, f"Folder/{name}.md") for n in ("directory", "destination_folder") for name in ("Xanadu3", "Broken")}
"""Where nothing can be made because a private note has that name: the one thing that cannot be kept secret."""
TEXTS = frozenset({"content", "find_text", "section", "note_type", "status", "timeframe", "since"})
"""Parameters that take text but look nothing up by it."""


def _calls(tool: str) -> Iterator[dict[str, Any]]:
    """Go through calls of a tool: each parameter that may name something gets every name and every query."""
    least = LEAST[tool]
    yield least
    for name, kind in TOOLS[tool].schema["properties"].items():
        if name in UNTOLD:
            continue
        if kind.get("type") == "string" and "enum" not in kind:
            values = ("Xanadu Heading", "xanadustatus", "7d") if name in TEXTS else (*NAMES, *QUERIES)
            yield from ({**least, name: value} for value in values if (name, value) not in TAKEN)
        elif kind.get("items", {}).get("type") == "string":
            yield from ({**least, name: [value]} for value in ("xanadutag", "garden", "xanadutype", "Xanadu"))
        for value in kind.get("enum", [True, False] if kind.get("type") == "boolean" else []):
            yield {**least, name: value}
    for more in MORE.get(tool, []):
        yield {**least, **more}


def _vault(folder: Path, files: Mapping[str, str]) -> Served:
    root = folder / "Vault"
    root.mkdir(parents=True)
    settings = Settings(access=AccessSettings(deny=("Secret/",), read_only=("Sources/",)))
    vault = Served(root, StateFolder(folder / "state"), settings)
    for path, text in files.items():
        vault.write(path, text)
    vault.ok("write_note", title="Public", directory="", content="by an agent", reason="because")
    return vault


def _twins(folder: Path) -> tuple[Served, Served]:
    """Make one vault with denied notes and one without them."""
    full = _vault(folder / "full", {**VISIBLE, **HIDDEN_IN})
    bare = _vault(folder / "bare", VISIBLE)
    # An agent wrote a note that the person made private afterwards.
    full.ok("write_note", title="Later", directory="Folder", content="xanaduword garden [[Open]]")
    full.write("Folder/Later.md", "---\nprivate: true\n---\nxanaduword garden [[Open]]\n")
    full.reindex()
    return full, bare


def _told(vault: Served, tool: str, arguments: Mapping[str, Any]) -> str:
    """Return all that a call tells, without what differs from one vault to any other: ids, times, scores."""
    forms: list[dict[str, Any]] = (
        [{}] if TOOLS[tool].form in ("document", "plain") else [{"output_format": form} for form in ("json", "text")]
    )
    replies = [vault.call(tool, **arguments, **form) for form in forms[: 1 if TOOLS[tool].writes else 2]]
    told = json.dumps(
        [[r.is_error, r.blocks, r.structured] for r in replies], ensure_ascii=False, indent=1, default=str
    )
    told = told.replace(str(vault.root.parent), "").replace(vault.open().services.project_id, "ID")
    told = re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{3})?)?(\+\d\d:\d\d|Z)?", "TIME", told)
    told = re.sub(r'("score": |score )[\d.]+', "SCORE", told)
    return re.sub(r"\b(?=[a-z]*\d)[0-9a-z]{8,}\b(-\d+)*|(?<=[</])[0-9a-f]{6}(?=>)", "HEX", told)


@pytest.mark.parametrize("tool", TOOLS)
def test_c27_every_tool_answers_as_if_denied_notes_were_not_there(tmp_path: Path, tool: str) -> None:
    assert tool in LEAST, f"say how to call {tool}, so that it is walked too"
    full, bare = _twins(tmp_path)
    try:
        calls = list(_calls(tool))
        for arguments in calls:
            assert _told(full, tool, arguments) == _told(bare, tool, arguments), arguments
        assert len(calls) > 3 or not set(TOOLS[tool].schema["properties"]) - UNTOLD
        for path, text in HIDDEN_IN.items():
            # A move mends links in denied notes too, and says nothing of it.
            assert full.read(path) == (text.replace("[[Folder/", "[[") if tool == "move_note" else text)
    finally:
        full.close()
        bare.close()


@pytest.mark.parametrize(
    ("tool", "category", "arguments"),
    [
        ("write_note", "refused", {"directory": "Folder", "title": "Xanadu3"}),
        ("write_note", "refused", {"directory": "folder", "title": "xanadu3"}),
        ("write_note", "invalid", {"directory": "Folder/Xanadu3.md"}),
        ("canvas", "invalid", {"directory": "Folder/Xanadu3.md"}),
    ],
)
def test_c27_a_name_that_a_private_note_has_is_refused_and_nothing_more_is_told(
    tmp_path: Path, tool: str, category: str, arguments: dict[str, Any]
) -> None:
    full, _ = twins = _twins(tmp_path)
    try:
        error = full.fails(tool, category, **{**LEAST[tool], **arguments})
        told = str(error).replace(arguments["directory"], "").replace(arguments.get("title", " "), "")
        assert "xanadu" not in told.lower()
        assert error["candidates"] == []
    finally:
        for vault in twins:
            vault.close()
