"""Sample memories as Claude Code writes them, and short ways to make and look at some."""

from typing import Any

from tests.conftest import Served

NESTED = """\
---
name: no-attribution
description: "Commits: never add a co-author"
metadata:\x20
  node_type: memory
  type: feedback
  originSessionId: d885c59c-2a0a-4084-b1ac-2799bf01d591
  modified: 2026-08-15T19:07:18.393Z
---

Never add attribution. See [[dotfiles]] and [[feedback_testing]].

**Why:** asked twice.
"""
OLDER = """\
---
name: Testing advice
description: how tests are liked
type: feedback
---
Small ones. [[no-attribution]]
"""
INDEX = """\
- [No attribution](no-attribution.md) — my own words about commits
- [Testing advice](feedback_testing.md) — how tests are liked
"""


def with_samples(served: Served) -> Served:
    served.write("Memory/no-attribution.md", NESTED)
    served.write("Memory/feedback_testing.md", OLDER)
    served.write("Memory/MEMORY.md", INDEX)
    return served


def save(served: Served, name: str, description: str = "about it", body: str = "fact", **more: Any) -> dict[str, Any]:
    return served.ok(
        "recall_save", **{"name": name, "description": description, "type": "project", "body": body, **more}
    )


def text(served: Served, tool: str, **arguments: Any) -> str:
    reply = served.call(tool, **arguments)
    assert not reply.is_error, reply.blocks
    return "\n".join(reply.blocks)
