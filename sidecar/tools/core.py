"""The dozen tools for small contexts, each with the parameters that are used most; the others are accepted unlisted."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from sidecar.tools.tool import Tool

__all__ = ["CORE", "briefly"]

_BRIEF: Final = 210
"""Characters of a description that is cut behind a sentence."""
_SENTENCE_END = re.compile(r"\.(?=\s|$)")

CORE: Final[Mapping[str, tuple[str, ...]]] = {
    "search_notes": ("query", "page", "tags", "note_types", "after_date", "metadata_filters"),
    "read_note": ("identifier", "section", "start_line"),
    "write_note": ("title", "content", "directory", "tags", "metadata", "overwrite"),
    "edit_note": ("identifier", "operation", "content", "section", "find_text", "expected_replacements"),
    "move_note": ("identifier", "destination_path", "is_directory"),
    "list_directory": ("dir_name", "depth", "file_name_glob"),
    "links": ("identifier", "direction", "to"),
    "canvas_map": ("path", "source", "layout", "group_by"),
    "canvas_read": ("path",),
    "canvas_edit": ("path", "operations"),
    "recall_save": ("name", "description", "type", "body", "overwrite"),
    "recall_search": ("query", "type"),
    "undo": ("change", "dry_run"),
}
"""Tool and the parameters that are shown with it."""


def briefly(tool: Tool, shown: Iterable[str]) -> Tool:
    """Return the tool as it is listed in a small context; what it does and takes is the same."""
    ends = [found.end() for found in _SENTENCE_END.finditer(tool.description)]
    cut = max((end for end in ends if end <= _BRIEF), default=ends[0] if ends else len(tool.description))
    return replace(tool, shown=frozenset(shown), description=" ".join(tool.description[:cut].split()))
