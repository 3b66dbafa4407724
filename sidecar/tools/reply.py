"""From a service's result or an error to what a client receives, once for all tools."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from sidecar.errors import SidecarError
from sidecar.services.canvas_preview import CanvasPreviewed
from sidecar.services.memory_input import MemoryAnswer
from sidecar.services.raw_files import RawFile
from sidecar.tools import canvas_view as _canvas_views  # noqa: F401 - registers its views
from sidecar.tools import change_view as _change_views  # noqa: F401 - registers its views
from sidecar.tools import context_view as _more_views  # noqa: F401 - registers its views
from sidecar.tools import folder_view as _folder_views  # noqa: F401 - registers its views
from sidecar.tools import link_view as _link_views  # noqa: F401 - registers its views
from sidecar.tools import note_view as _note_views  # noqa: F401 - registers its views
from sidecar.tools import obsidian_view as _obsidian_views  # noqa: F401 - registers its views
from sidecar.tools import pending_view as _pending_views  # noqa: F401 - registers its views
from sidecar.tools import project_view as _project_views  # noqa: F401 - registers its views
from sidecar.tools import recall_view as _recall_views  # noqa: F401 - registers its views
from sidecar.tools import schema_view as _schema_views  # noqa: F401 - registers its views
from sidecar.tools import search_view as _search_views  # noqa: F401 - registers its views
from sidecar.tools import validation_view as _validation_views  # noqa: F401 - registers its views
from sidecar.tools.document_view import document_json
from sidecar.tools.json_view import json_of
from sidecar.tools.text_view import blocks_of

__all__ = ["Picture", "Reply", "document_of", "error_reply", "plain_error", "plain_of", "reply_to", "wrapped"]

_CATEGORY_WORDS = {
    "not_found": "Not found",
    "ambiguous": "Ambiguous",
    "invalid": "Invalid",
    "refused": "Refused",
    "stale": "Stale",
    "unavailable": "Unavailable",
}


@dataclass(frozen=True, slots=True)
class Picture:
    """An image for the model to look at."""

    data: bytes
    content_type: str


@dataclass(frozen=True, slots=True)
class Reply:
    """Text blocks and pictures for the model, an object for programs."""

    blocks: tuple[str, ...]
    structured: dict[str, Any] | None = None
    is_error: bool = False
    pictures: tuple[Picture, ...] = ()


def reply_to(
    result: object, output_format: Literal["text", "json"], project: str | None, notices: Sequence[str]
) -> Reply:
    """Word a result. A text reply ends its first block with the project's name and what else is to be said."""
    pictures = _pictures(result)
    if output_format == "json":
        said = {"project": project} if project else {}
        view = {**json_of(result), **said, **({"notices": list(notices)} if notices else {})}
        if "result" in view:  # a contract that answers a bare list; what is to be said beside it stands behind
            return Reply((json.dumps(view["result"], ensure_ascii=False), *notices), view)
        return Reply((json.dumps(view, ensure_ascii=False),), view, pictures=pictures)
    first, *rest = blocks_of(result)
    footer = ("", f"[Project: {project}]") if project else ()
    return Reply(("\n".join((first, *footer, *notices)), *rest), pictures=pictures)


def wrapped(reply: Reply) -> Reply:
    """Return a reply with its object, or else its first text, as the one value ``result``."""
    return replace(reply, structured={"result": reply.blocks[0] if reply.structured is None else reply.structured})


def document_of(result: object, vault: str) -> Reply:
    """Word a result for search connectors: one JSON text and nothing beside it; ``vault`` is Obsidian's name of it."""
    return Reply((json.dumps(document_json(result, vault), ensure_ascii=False),))


def plain_of(result: object) -> Reply:
    """Word a result whose very words are a contract: nothing is added."""
    return Reply(blocks_of(result), pictures=_pictures(result))


def plain_error(error: SidecarError) -> Reply:
    """Word an error of such a tool."""
    return Reply((" ".join(filter(None, (error.message, error.hint))),), is_error=True)


def _pictures(result: object) -> tuple[Picture, ...]:
    if isinstance(result, RawFile | MemoryAnswer | CanvasPreviewed) and result.picture is not None:
        return (Picture(result.picture.data, result.picture.content_type),)
    return ()


def error_reply(error: SidecarError, output_format: Literal["text", "json"]) -> Reply:
    """Word an error: what failed, the nearest matches, the next step."""
    if output_format == "json":
        view: Mapping[str, Any] = {
            **error.data,
            "error": error.category,
            "message": error.message,
            "candidates": list(error.candidates),
            "next": error.hint,
        }
        return Reply((json.dumps(view, ensure_ascii=False),), dict(view), is_error=True)
    lines = [f"{_CATEGORY_WORDS.get(error.category, 'Error')}: {error.message}"]
    lines += [f"- {candidate}" for candidate in error.candidates]
    if checksum := error.data.get("checksum"):
        lines.append(f"Checksum now: {str(checksum)[:16]}")
    if diff := error.data.get("diff"):
        lines += ["What differs:", str(diff)]
    if error.hint:
        lines.append(f"Next: {error.hint}")
    return Reply(("\n".join(lines),), is_error=True)
