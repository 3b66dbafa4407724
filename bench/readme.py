"""``python -m bench.readme [--check]``: the README's generated tables: numbers of the result files, tools, commands."""

import json
import sys
from pathlib import Path
from typing import Any

import click
import typer

from sidecar.cli.main import app
from sidecar.tools.families import FAMILIES

__all__ = ["with_tables"]

ROOT = Path(__file__).parents[1]


def _numbers() -> str:
    results = [json.loads(path.read_text("utf-8")) for path in (ROOT / "bench/results").glob("core-*.json")]
    results.sort(key=lambda r: (r["notes"], r["words"]))
    heads = [f"{r['notes']:,} notes" for r in results]
    rows = [("files changed by indexing", [str(r["files_changed_by_indexing"]) for r in results])]
    rows.append(("first index, start of the process included", [_run(r["first_index"]) for r in results]))
    rows.append(("again, nothing changed", [_run(r["unchanged_restart"]) for r in results]))
    rows += [(name, [_call(r["calls"][name]) for r in results]) for name in results[0]["calls"]]
    rows.append(("a change from outside is found after", [f"{r['outside_change_found_s']} s" for r in results]))
    rows.append(("memory of the serving process", [f"{r['serving_memory_mb']} MB" for r in results]))
    lines = ["| | " + " | ".join(heads) + " |", "|---|" + "---|" * len(heads)]
    lines += [f"| {name} | " + " | ".join(cells) + " |" for name, cells in rows]
    sources = "; ".join(f"`{r['command']}` at {r['commit']} on {r['machine']}" for r in results)
    return "\n".join([*lines, "", f"Calls: p95 of CPU time (of wall time), all different. Measured by {sources}."])


def _run(measured: dict[str, Any]) -> str:
    return f"{measured['cpu_s']} CPU s ({measured['wall_s']} s)"


def _call(measured: dict[str, Any]) -> str:
    return f"{measured['cpu']['p95_ms']} ms ({measured['wall']['p95_ms']} ms)"


def _tools() -> str:
    rows = [
        f"| `{tool.name}` | {family} | {_cell(tool.description)} |"
        for family, tools in FAMILIES.items()
        for tool in tools
    ]
    return "\n".join(["| tool | family | what it does |", "|---|---|---|", *rows])


def _cell(description: str) -> str:
    """Return the first line of a description as it can stand in a table."""
    return description.splitlines()[0].replace("|", "\\|")


def _commands() -> str:
    group = typer.main.get_command(app)
    commands: dict[str, click.Command] = getattr(group, "commands", {})
    rows = [f"| `{name}` | {(c.help or '').splitlines()[0]} |" for name, c in commands.items()]
    return "\n".join(["| command | what it does |", "|---|---|", *rows])


def with_tables(readme: str) -> str:
    """Return the README with each generated table put between its marks."""
    for name, text in (("numbers", _numbers()), ("tools", _tools()), ("commands", _commands())):
        begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
        head, rest = readme.split(begin)
        readme = f"{head}{begin}\n{text}\n{end}{rest.split(end)[1]}"
    return readme


def main() -> None:
    path = ROOT / "README.md"
    current = path.read_text("utf-8")
    wanted = with_tables(current)
    if "--check" in sys.argv:
        sys.exit("README.md is not current: run python -m bench.readme" if current != wanted else 0)
    path.write_text(wanted, encoding="utf-8")


if __name__ == "__main__":
    main()
