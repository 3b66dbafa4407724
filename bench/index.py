"""``python -m bench.index [--notes N] [--words W]``: the index alone: build, open, searches by class, changes, merging.

*Cold* means that no postings are kept; the terms and lengths of fields are. *Warm* is the same query again.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.make_vault import Manifest, generate
from bench.process import commit, machine, own_home, percentiles
from sidecar.index.cache import PostingsCache
from sidecar.index.query import parse_query
from sidecar.index.whoosh_index import WhooshIndex
from sidecar.model.path import VaultPath
from sidecar.model.search import Leaf, SearchFilter, SearchRequest
from sidecar.parse.file import parse_file

RESULTS = Path(__file__).parent / "results"
_SEED = 3
_QUERIES = 40
_CHANGES = 100


class _Everyone:
    """A scope without conditions."""

    def matching(self, leaf: Leaf) -> frozenset[VaultPath]:
        raise NotImplementedError(leaf)

    def allowed(self, conditions: SearchFilter) -> frozenset[VaultPath] | None:
        del conditions
        return None


class _Some:
    """A scope that allows a part of the files, as a tag or a folder does."""

    def __init__(self, paths: frozenset[VaultPath]) -> None:
        self._paths = paths

    def matching(self, leaf: Leaf) -> frozenset[VaultPath]:
        raise NotImplementedError(leaf)

    def allowed(self, conditions: SearchFilter) -> frozenset[VaultPath]:
        del conditions
        return self._paths


def measure(notes: int, words: int) -> dict[str, Any]:
    """Measure on a vault of ``notes`` notes with ``words`` distinct words."""
    with tempfile.TemporaryDirectory() as temporary:
        vault, state = Path(temporary) / "vault", Path(temporary) / "state"
        manifest = generate(vault, notes, words=words)
        first = _build(vault, state)
        folder = next(state.glob("projects/*/index"))
        cache = PostingsCache()
        cpu, begin = time.process_time(), time.perf_counter()
        index = WhooshIndex(folder, cache)
        opened = {
            "cpu_ms": round(1000 * (time.process_time() - cpu), 1),
            "wall_ms": round(1000 * (time.perf_counter() - begin), 1),
        }
        size = sum(file.stat().st_size for file in folder.iterdir())
        result = {
            "first_index": first,
            "index_mb": round(size / 1e6, 1),
            "open": opened,
            "search": _searches(index, cache, manifest),
            "change": _changes(index, vault, manifest),
            "idle": _idle(index),
        }
        index.close()
        return result


def _build(vault: Path, state: Path) -> dict[str, float]:
    """Index in a process of its own; memory is the highest proportional share of it and its workers together."""
    environment = own_home(state)
    before, begin = os.times(), time.perf_counter()
    command = [sys.executable, "-m", "sidecar", "index", str(vault), "--json"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        highest = 0
        while process.poll() is None:
            highest = max(highest, sum(map(_memory_kb, _family(process.pid))))
            time.sleep(0.1)
    wall, after = time.perf_counter() - begin, os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return {"wall_s": round(wall, 2), "cpu_s": round(cpu, 2), "memory_mb": round(highest / 1024)}


def _family(pid: int) -> Iterator[int]:
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            yield from (child for text in task.read_text().split() for child in _family(int(text)))
        except OSError:
            continue


def _memory_kb(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def _searches(index: WhooshIndex, cache: PostingsCache, manifest: Manifest) -> Mapping[str, Any]:
    rng = random.Random(_SEED)
    frequent, middle, rare = manifest.terms[:200], manifest.terms[200:800], manifest.terms[800:]
    some = _Some(frozenset(VaultPath(note.path) for note in rng.sample(manifest.notes, len(manifest.notes) // 5)))
    classes: dict[str, tuple[Callable[[], str], Any]] = {
        "frequent word": (lambda: rng.choice(frequent), _Everyone()),
        "middling word": (lambda: rng.choice(middle), _Everyone()),
        "rare word": (lambda: rng.choice(rare), _Everyone()),
        "two words": (lambda: f"{rng.choice(frequent)} {rng.choice(middle)}", _Everyone()),
        "three words": (lambda: " ".join(rng.sample(frequent, 3)), _Everyone()),
        "either of two": (lambda: f"{rng.choice(frequent)} OR {rng.choice(middle)}", _Everyone()),
        "phrase": (lambda: f'"{rng.choice(frequent)} {rng.choice(frequent)}"', _Everyone()),
        "beginning": (lambda: f"{rng.choice(rare)[:3]}*", _Everyone()),
        "short beginning": (lambda: f"{rng.choice(rare)[:2]}*", _Everyone()),
        "excluding": (lambda: f"{rng.choice(frequent)} -{rng.choice(middle)}", _Everyone()),
        "among a fifth of the notes": (lambda: rng.choice(frequent), some),
    }
    return {name: _search(index, cache, make, scope) for name, (make, scope) in classes.items()}


def _search(index: WhooshIndex, cache: PostingsCache, make: Callable[[], str], scope: Any) -> Mapping[str, Any]:
    cold: list[float] = []
    warm: list[float] = []
    index.search(SearchRequest(parse_query("warmup")), scope)
    for text in dict.fromkeys(make() for _ in range(_QUERIES)):
        request = SearchRequest(parse_query(text))
        cache.clear()
        for times in (cold, warm):
            with _timed(times):
                index.search(request, scope)
    return {"cold": percentiles(cold), "warm": percentiles(warm)}


@contextmanager
def _timed(times: list[float]) -> Iterator[None]:
    begin = time.thread_time()
    yield
    times.append(time.thread_time() - begin)


def _changes(index: WhooshIndex, vault: Path, manifest: Manifest) -> Mapping[str, Any]:
    """Change notes one by one, each until a search finds it; merging as when idle comes between, unmeasured."""
    commits: list[float] = []
    finds: list[float] = []
    walls: list[float] = []
    for number, note in enumerate(random.Random(_SEED).sample(manifest.notes, min(_CHANGES, len(manifest.notes)))):
        path = VaultPath(note.path)
        file = parse_file(path, (vault / note.path).read_bytes() + f"\nzqchanged{number}q\n".encode())
        begin = time.perf_counter()
        with _timed(commits):
            index.put(file)
            index.commit()
        with _timed(finds):
            hits = index.search(SearchRequest(parse_query(f"zqchanged{number}q")), _Everyone())
        walls.append(time.perf_counter() - begin)
        if hits.total != 1:
            raise RuntimeError("a change is not found")
        if number % 20 == 19:
            while index.merge_small():
                pass
    return {"commit": percentiles(commits), "first search": percentiles(finds), "both, wall": percentiles(walls)}


def _idle(index: WhooshIndex) -> Mapping[str, Any]:
    steps: list[float] = []
    more = True
    while more:
        with _timed(steps):
            more = index.merge_small()
    return {"steps": len(steps), "longest_ms": round(1000 * max(steps), 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--words", type=int, default=6000)
    options = parser.parse_args()
    result = {
        "command": f"python -m bench.index --notes {options.notes} --words {options.words}",
        "commit": commit(),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "load": round(os.getloadavg()[0], 1),
        "notes": options.notes,
        "words": options.words,
        **measure(options.notes, options.words),
    }
    text = json.dumps(result, indent=2) + "\n"
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"index-{options.notes}-{options.words}.json").write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
