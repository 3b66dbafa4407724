"""Index, restart, search, read, write and watch on one generated vault."""

import random
import tempfile
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bench.make_vault import Manifest, generate
from bench.process import Server, own_home, percentiles, run, vault_hash

__all__ = ["measure"]

_SEED = 7


def measure(notes: int, words: int, repetitions: int = 40) -> dict[str, Any]:
    """Measure all classes on a vault of ``notes`` notes with ``words`` distinct words."""
    with tempfile.TemporaryDirectory() as temporary:
        vault = Path(temporary) / "vault"
        manifest = generate(vault, notes, _SEED, words=words)
        environment = own_home(Path(temporary) / "state")
        before = vault_hash(vault)
        first = run(["index", str(vault), "--json"], environment)
        again = run(["index", str(vault), "--json"], environment)
        unchanged = vault_hash(vault) == before
        with Server(vault, environment) as server:
            _settle(server)
            served = {name: _timed(server, calls) for name, calls in _calls(manifest, repetitions)}
            found = _seen_from_outside(server, vault)
            memory = server.memory_mb()
    return {
        "files_changed_by_indexing": 0 if unchanged else -1,
        "first_index": {
            "wall_s": round(first.wall, 2),
            "cpu_s": round(first.cpu, 2),
            "rss_mb": round(first.max_rss_mb),
        },
        "unchanged_restart": {"wall_s": round(again.wall, 2), "cpu_s": round(again.cpu, 2)},
        "calls": served,
        "outside_change_found_s": round(found, 2),
        "serving_memory_mb": round(memory),
    }


def _settle(server: Server) -> None:
    server.call("search_notes", {"query": "warmup"})
    while server.pending():
        time.sleep(0.05)


def _timed(server: Server, calls: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
    times = [server.call(tool, arguments)[1:] for tool, arguments in calls]
    cpu, wall = [t[0] for t in times], [t[1] for t in times]
    return {"calls": len(times), "cpu": percentiles(cpu), "wall": percentiles(wall)}


def _calls(manifest: Manifest, count: int) -> Iterable[tuple[str, list[tuple[str, dict[str, Any]]]]]:
    rng = random.Random(_SEED)
    terms, notes = manifest.terms, manifest.notes
    frequent, rare = terms[:200], terms[800:]

    def search(make: Any) -> list[tuple[str, dict[str, Any]]]:
        queries = list(dict.fromkeys(make() for _ in range(3 * count)))[:count]
        return [("search_notes", {"query": query}) for query in queries]

    yield "search, frequent word", search(lambda: rng.choice(frequent))
    yield "search, rare word", search(lambda: rng.choice(rare))
    yield "search, two words", search(lambda: f"{rng.choice(frequent)} {rng.choice(rare)}")
    yield "search, three words", search(lambda: " ".join(rng.sample(frequent, 3)))
    yield "search, phrase", search(lambda: f'"{rng.choice(frequent)} {rng.choice(frequent)}"')
    yield "search, word beginning", search(lambda: f"{rng.choice(rare)[:4]}*")
    yield "search, with a tag", search(lambda: f"tag:project {rng.choice(frequent)}")
    chosen = rng.sample(notes, count)
    yield "read_note", [("read_note", {"identifier": note.path}) for note in chosen]
    yield (
        "edit_note",
        [("edit_note", {"identifier": n.path, "operation": "append", "content": "One more line."}) for n in chosen],
    )
    yield (
        "write_note",
        [
            ("write_note", {"title": f"Bench {i}", "directory": "Bench", "content": f"Written {i} zqbench{i}q."})
            for i in range(count)
        ],
    )


def _seen_from_outside(server: Server, vault: Path) -> float:
    (vault / "Outside.md").write_text("# Outside\n\nA zqoutsideq marker.\n", encoding="utf-8")
    begin = time.perf_counter()
    while "Outside.md" not in server.call("search_notes", {"query": "zqoutsideq"})[0]:
        time.sleep(0.02)
    return time.perf_counter() - begin
