"""Memories: one folder of facts that every client, Claude Code and Obsidian share."""

from sidecar.tools.recall.memory import memory
from sidecar.tools.recall.recall_brief import recall_brief
from sidecar.tools.recall.recall_check import recall_check
from sidecar.tools.recall.recall_delete import recall_delete
from sidecar.tools.recall.recall_get import recall_get
from sidecar.tools.recall.recall_links import recall_links
from sidecar.tools.recall.recall_list import recall_list
from sidecar.tools.recall.recall_save import recall_save
from sidecar.tools.recall.recall_search import recall_search
from sidecar.tools.recall.recall_update import recall_update

__all__ = ["TOOLS"]

TOOLS = (
    recall_save,
    recall_get,
    recall_search,
    recall_list,
    recall_links,
    recall_delete,
    recall_update,
    recall_brief,
    recall_check,
    memory,
)
