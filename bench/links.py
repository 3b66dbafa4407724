"""``python -m bench.links``: backlinks, links and unlinked mentions in a large vault, popular notes among the asked."""

import argparse
import json
import random
import re
import tempfile
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.make_vault import Manifest, generate
from bench.process import Server, commit, machine, own_home, percentiles, run

__all__ = ["make_popular", "measure"]

RESULTS = Path(__file__).parent / "results"
_SEED = 13
_POPULAR = (10, 50, 200, 500, 1000)
"""How many notes link to, and how many others name, each of the popular notes; both say its alias too."""
_WARM_UP = 8.0
"""Seconds after which what is made once, while nobody asks, is there."""
_CHANGES = 8


def measure(notes: int, calls: int) -> dict[str, Any]:
    """Measure ``calls`` calls of each kind in a vault of ``notes`` notes."""
    with tempfile.TemporaryDirectory() as temporary:
        vault = Path(temporary) / "vault"
        manifest = generate(vault, notes, _SEED)
        rng = random.Random(_SEED)
        popular = [make_popular(vault, manifest, rng, min(count, notes // 4)) for count in _POPULAR]
        environment = own_home(Path(temporary) / "state")
        run(["index", str(vault), "--json"], environment)
        with Server(vault, environment) as server:
            server.call("search_notes", {"query": "warmup"})
            _settle(server)
            time.sleep(_WARM_UP)
            measured = {name: _timed(server, asked) for name, asked in _asked(manifest, popular, rng, calls)}
            linked = _timed(server, [{"identifier": popular[0], "mentions": "all", "dry_run": True}], "link_mentions")
            changed = {name: _after_changes(server, asked) for name, asked in _asked_again(manifest, popular)}
            pages = {
                f"{direction}, {title}": _all_pages(server, {"identifier": title, "direction": direction})
                for direction in ("backlinks", "mentions")
                for title in popular
            }
            unknown = [_unknown(server, note.title[:-3] + "xyz") for note in rng.sample(manifest.notes, calls)]
    return {
        "links": measured,
        "after a change of the vault": changed,
        "all pages of 200": pages,
        "link_mentions, dry run": linked,
        "an unknown name": percentiles(unknown),
    }


def _settle(server: Server) -> None:
    while server.pending():
        time.sleep(0.05)


def make_popular(vault: Path, manifest: Manifest, rng: random.Random, count: int) -> str:
    """Write a note that ``count`` others link to and ``count`` others name; return its title."""
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
    for direction in ("hubs", "orphans", "unresolved"):
        yield f"{direction}, whole vault", [{"direction": direction, "limit": 40 + n} for n in range(10)]


def _asked_again(manifest: Manifest, popular: list[str]) -> Iterable[tuple[str, dict[str, Any]]]:
    for title in popular:
        yield f"backlinks, {title}", {"identifier": title}
        yield f"mentions, {title}", {"identifier": title, "direction": "mentions"}
    yield "two links away from the most popular", {"identifier": popular[-1], "depth": 2, "direction": "all"}
    ends = {"identifier": manifest.notes[0].path, "to": manifest.notes[-1].path}
    yield "shortest way", {**ends, "direction": "all"}
    for direction in ("hubs", "orphans", "unresolved", "all", "backlinks"):
        yield f"{direction}, whole vault", {"direction": direction}


def _after_changes(server: Server, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Ask again after each of some changes: what was worked out for the state before is worth nothing then."""
    times = []
    for number in range(_CHANGES):
        content = f"[[Popular Thing 10]] and [[no such note {number}]]"
        server.call("write_note", {"title": "Changing", "directory": "", "content": content, "overwrite": True})
        _settle(server)
        times.append(server.call("links", arguments)[1:])
    return _summary(times)


def _all_pages(server: Server, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Follow the cursors from the first page to the last."""
    times, cursor = [], None
    while True:
        asked = {**arguments, "limit": 200, **({"cursor": cursor} if cursor else {})}
        text, cpu, wall = server.call("links", asked)
        times.append((cpu, wall))
        found = re.search(r"^More: cursor=(\S+)$", text, re.MULTILINE)
        if found is None:
            return {**_summary(times), "cpu_of_all_ms": round(1000 * sum(t[0] for t in times), 1)}
        cursor = found[1]


def _unknown(server: Server, identifier: str) -> float:
    before = server.cpu()
    try:
        server.call("read_note", {"identifier": identifier})
    except RuntimeError:
        return server.cpu() - before
    raise RuntimeError(f"{identifier} is known")


def _timed(server: Server, asked: Iterable[Mapping[str, Any]], tool: str = "links") -> dict[str, Any]:
    return _summary([server.call(tool, arguments)[1:] for arguments in asked])


def _summary(times: list[tuple[float, float]]) -> dict[str, Any]:
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
