"""From a service's result or an error to what a client receives, once for all tools."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sidecar.errors import SidecarError
from sidecar.tools.json_view import json_of
from sidecar.tools.text_view import blocks_of

__all__ = ["Reply", "error_reply", "reply_to"]

_CATEGORY_WORDS = {
    "not_found": "Not found",
    "ambiguous": "Ambiguous",
    "invalid": "Invalid",
    "refused": "Refused",
    "stale": "Stale",
    "unavailable": "Unavailable",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """Text blocks for the model, an object for programs."""

    blocks: tuple[str, ...]
    structured: dict[str, Any] | None = None
    is_error: bool = False


def reply_to(result: object, output_format: Literal["text", "json"], project: str, notices: Sequence[str]) -> Reply:
    """Word a result. A text reply ends its first block with the project's name and what else is to be said."""
    if output_format == "json":
        view = {**json_of(result), "project": project, **({"notices": list(notices)} if notices else {})}
        return Reply((json.dumps(view, ensure_ascii=False),), view)
    first, *rest = blocks_of(result)
    return Reply(("\n".join((first, "", f"[Project: {project}]", *notices)), *rest))


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
