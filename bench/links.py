"""``python -m bench.links``: backlinks, links and unlinked mentions in a large vault, popular notes among the asked."""

import argparse
import json
import random
import tempfile
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.make_vault import Manifest, generate
from bench.process import Server, commit, machine, own_home, percentiles, run

__all__ = ["measure"]

RESULTS = Path(__file__).parent / "results"
_SEED = 13
_POPULAR = (10, 50, 200, 1000)
"""How many notes link to, and how many others name, each of the popular notes."""


def measure(notes: int, calls: int) -> dict[str, Any]:
    """Measure ``calls`` calls of each kind in a vault of ``notes`` notes."""
    with tempfile.TemporaryDirectory() as temporary:
        vault = Path(temporary) / "vault"
        manifest = generate(vault, notes, _SEED)
        rng = random.Random(_SEED)
        popular = [_make_popular(vault, manifest, rng, min(count, notes // 4)) for count in _POPULAR]
        environment = own_home(Path(temporary) / "state")
        run(["index", str(vault), "--json"], environment)
        with Server(vault, environment) as server:
            server.call("search_notes", {"query": "warmup"})
            while server.pending():
                time.sleep(0.05)
            first = {name: _cold(server, arguments) for name, arguments in _FIRST.items()}
            measured = {name: _timed(server, asked) for name, asked in _asked(manifest, popular, rng, calls)}
            linked = _timed(server, [{"identifier": popular[0], "mentions": "all", "dry_run": True}], "link_mentions")
    return {"first_of_its_kind": first, "links": measured, "link_mentions, dry run": linked}


_FIRST: Mapping[str, dict[str, Any]] = {"hubs, the graph being made": {"direction": "hubs"}}


def _make_popular(vault: Path, manifest: Manifest, rng: random.Random, count: int) -> str:
    title = f"Popular Thing {count}"
    (vault / f"{title}.md").write_text(f"---\naliases: [Liked {count}]\n---\n# {title}\n", encoding="utf-8")
    for number, note in enumerate(rng.sample(manifest.notes, 2 * count)):
        with (vault / note.path).open("a", encoding="utf-8") as file:
            file.write(f"\nWe spoke of {f'[[{title}]]' if number % 2 else title} and `liked {count}`, liked {count}.\n")
    return title


def _asked(
    manifest: Manifest, popular: list[str], rng: random.Random, calls: int
) -> Iterable[tuple[str, list[dict[str, Any]]]]:
    chosen = [note.path for note in rng.sample(manifest.notes, calls)]
    for direction in ("backlinks", "outgoing", "mentions", "all"):
        yield direction, [{"identifier": path, "direction": direction} for path in chosen]
    for title in popular:
        yield f"backlinks, {title}", [{"identifier": title, "limit": 40 + n} for n in range(10)]
        yield f"mentions, {title}", [{"identifier": title, "direction": "mentions"}]
    yield "two links away", [{"identifier": path, "depth": 2, "direction": "all"} for path in chosen]
    yield "shortest way", [{"identifier": path, "to": rng.choice(chosen), "direction": "all"} for path in chosen]
    yield "hubs", [{"direction": "hubs", "limit": 40 + n} for n in range(10)]
    yield "unresolved, whole vault", [{"direction": "unresolved", "limit": 40 + n} for n in range(10)]


def _cold(server: Server, arguments: Mapping[str, Any]) -> float:
    return round(1000 * server.call("links", arguments)[1], 1)


def _timed(server: Server, asked: Iterable[Mapping[str, Any]], tool: str = "links") -> dict[str, Any]:
    times = [server.call(tool, arguments)[1:] for arguments in asked]
    return {
        "calls": len(times),
        "cpu": percentiles([t[0] for t in times]),
        "wall": percentiles([t[1] for t in times]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--calls", type=int, default=60)
    options = parser.parse_args()
    result = {
        "command": f"python -m bench.links --notes {options.notes} --calls {options.calls}",
        "commit": commit(),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        **measure(options.notes, options.calls),
    }
    text = json.dumps(result, indent=2) + "\n"
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"links-{options.notes}.json").write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
