"""The knowledge graph that ``@modelcontextprotocol/server-memory`` keeps in a file of JSON lines, read as memories."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from sidecar.errors import Invalid
from sidecar.model.note import Json
from sidecar.parse.memory_file import MemoryType

__all__ = ["GraphMemory", "memories_in"]

_LONGEST_NAME = 80
_LONGEST_DESCRIPTION = 120
_TYPES = {
    "user": MemoryType.USER,
    "person": MemoryType.USER,
    "preference": MemoryType.FEEDBACK,
    "feedback": MemoryType.FEEDBACK,
    "project": MemoryType.PROJECT,
}


@dataclass(frozen=True, slots=True)
class GraphMemory:
    """One entity as a memory: observations become a list, relations become links."""

    name: str
    description: str
    type: MemoryType
    body: str


def memories_in(text: str) -> Iterator[GraphMemory]:
    """Go through the entities of a graph; two whose names make the same slug get different ones.

    Raises:
        Invalid: naming the line that is no JSON object.

    """
    lines = list(_objects(text))
    entities = [line for line in lines if line.get("type") == "entity" and isinstance(line.get("name"), str)]
    slugs: dict[str, str] = {}
    for entity in entities:
        name = str(entity["name"])
        if name not in slugs:
            slugs[name] = _free(_slug(name), set(slugs.values()))
    done: set[str] = set()
    for entity in entities:
        name, kind = str(entity["name"]), str(entity.get("entityType") or "")
        if name in done:
            continue
        done.add(name)
        observations = [
            said
            for other in entities
            if other["name"] == name
            for said in _list(other.get("observations"))
            if isinstance(said, str)
        ]
        links = [
            f"- {line.get('relationType') or 'relates to'} [[{slugs.get(str(line.get('to')), str(line.get('to')))}]]"
            for line in lines
            if line.get("type") == "relation" and line.get("from") == name
        ]
        told = f"{name} ({kind})" if kind else name
        description = f"{told}: {observations[0]}" if observations else told
        body = [f"- {' '.join(said.split())}" for said in observations]
        yield GraphMemory(
            slugs[name],
            description if len(description) <= _LONGEST_DESCRIPTION else f"{description[: _LONGEST_DESCRIPTION - 1]}…",
            _TYPES.get(kind.lower(), MemoryType.REFERENCE),
            "\n".join([*body, *([""] if body and links else []), *links]),
        )


def _objects(text: str) -> Iterator[dict[str, Json]]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise Invalid(f"Line {number} is no JSON object.", hint="Give the memory.jsonl of server-memory.")
        yield found


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower())[:_LONGEST_NAME].strip("-") or "memory"


def _free(slug: str, taken: set[str]) -> str:
    free, number = slug, 1
    while free in taken:
        number += 1
        free = f"{slug}-{number}"
    return free
