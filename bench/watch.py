"""``python -m bench.watch``: storms of changes from outside, and whether the index is right after them."""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.dump import catalog_dump
from bench.make_vault import Manifest, generate
from bench.process import Server, commit, machine, own_home, percentiles, vault_hash
from sidecar.app import OpenVault, open_vault
from sidecar.config import Settings, StateFolder
from sidecar.model.change import Author
from sidecar.services.caller import Audience, Caller

__all__ = ["main"]

RESULTS = Path(__file__).parent / "results"
_PATIENCE = 120.0
_QUIET = 3.0


def storm(vault: Path, paths: list[str], replacements: int, folders: int) -> None:
    """Save notes as careless editors do, then make new nested folders with a note in each tenth."""
    for n in range(replacements):
        place = vault / paths[n % len(paths)]
        text = place.read_text("utf-8") if n < len(paths) else f"# Saved\n\nzqstorm{n % 7} [[{place.stem}]] {n}\n"
        place.unlink()
        temporary = place.with_name(f"{place.stem}.tmp{n}")
        temporary.write_text(text, encoding="utf-8")
        temporary.rename(place)
    for n in range(folders):
        folder = vault / f"Storm {n % 50}" / "/".join(f"level {depth}" for depth in range(n // 50 + 1))
        folder.mkdir(parents=True)
        if n % 10 == 0:
            (folder / f"Deep {n}.md").write_text(f"zqdeep {n} [[Deep {n - 10}]] #deep\n", encoding="utf-8")
    (vault / "Last.md").write_text("zqlastq\n", encoding="utf-8")


def measure(notes: int, replacements: int, folders: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as temporary:
        vault, state = Path(temporary) / "vault", Path(temporary) / "state"
        manifest = generate(vault, notes)
        with (Path(temporary) / "stderr").open("w+b") as errors:
            served = _serve(vault, state, manifest, errors, replacements, folders)
            before = vault_hash(vault)
            different = _compare(vault, state, Path(temporary) / "fresh", manifest)
            unchanged = vault_hash(vault) == before
            return {
                "cpu_s": round(served["cpu"], 2),
                "storm_wall_s": round(served["storm"], 2),
                "searchable_after_s": round(served["found"], 2),
                "stderr_bytes": errors.seek(0, os.SEEK_END),
                "different_from_scratch": different,
                "files_changed_by_watching": 0 if unchanged else -1,
                "beside_a_storm": served["calls"],
            }


def _serve(
    vault: Path, state: Path, manifest: Manifest, errors: Any, replacements: int, folders: int
) -> dict[str, Any]:
    environment = own_home(state)
    paths = [note.path for note in manifest.notes[:200]]
    with Server(vault, environment, errors) as server:
        server.call("search_notes", {"query": "warmup"})
        _quiet(server)
        cpu, begin = server.cpu(), time.perf_counter()
        _storm(vault, paths, replacements, folders).wait()
        storm_wall = time.perf_counter() - begin
        while "Last.md" not in server.call("search_notes", {"query": "zqlastq"})[0]:
            if time.perf_counter() - begin > _PATIENCE:
                raise RuntimeError("the last change was not found")
            time.sleep(0.1)
        found = time.perf_counter() - begin - storm_wall
        _quiet(server)
        cpu = server.cpu() - cpu
        calls = _calls_beside_a_storm(server, vault, manifest, replacements)
        _quiet(server)
        return {"cpu": cpu, "storm": storm_wall, "found": found, "calls": calls}


def _storm(vault: Path, paths: list[str], replacements: int, folders: int) -> "subprocess.Popen[bytes]":
    arguments = json.dumps([str(vault), paths, replacements, folders])
    return subprocess.Popen([sys.executable, "-m", "bench.watch", "--storm", arguments])


def _calls_beside_a_storm(server: Server, vault: Path, manifest: Manifest, replacements: int) -> dict[str, Any]:
    paths = [note.path for note in manifest.notes[200:400]]
    search, write = list[float](), list[float]()
    process, n = _storm(vault, paths, 5 * replacements, 0), 0
    until = time.perf_counter() + 10
    while process.poll() is None or time.perf_counter() < until:
        search.append(server.call("search_notes", {"query": manifest.terms[n % 1000]})[2])
        note = {"title": f"Beside {n}", "directory": "Beside", "content": f"zqbeside{n}q"}
        write.append(server.call("write_note", note)[2])
        n += 1
        time.sleep(0.02)
    return {"calls": n, "search_wall": percentiles(search), "write_note_wall": percentiles(write)}


def _quiet(server: Server) -> None:
    """Wait until nothing was pending, and no flood was waited out, for a few seconds."""
    since, last = time.perf_counter(), None
    while time.perf_counter() - since < _QUIET:
        status = server.status()
        now = (status["generation"], status["last_reconcile"])
        if status["pending"] or status["watching"]["reason"] or now != last:
            since, last = time.perf_counter(), now
        time.sleep(0.25)


def _compare(vault: Path, state: Path, fresh: Path, manifest: Manifest) -> dict[str, int]:
    """Count what differs between what was kept up to date and what is made from scratch."""
    kept, made = (open_vault(vault, StateFolder(folder), Settings()) for folder in (state, fresh))
    try:
        made.index_now()
        words = [*manifest.terms[:300], "zqdeep", "zqlastq", *(f"zqstorm{n}" for n in range(7))]
        dumps = [catalog_dump(StateFolder(folder).project(vault) / "catalog.sqlite3") for folder in (state, fresh)]
        return {
            "rows of the catalog": len(set(dumps[0]).symmetric_difference(dumps[1])),
            "files in the index": len(kept.index.paths_held() ^ made.index.paths_held()),
            "searches": sum(_found(kept, word) != _found(made, word) for word in words),
        }
    finally:
        kept.close()
        made.close()


def _found(opened: OpenVault, word: str) -> tuple[int, list[str]]:
    """Return how many files have a word, and which, if they fit one page: their order may differ."""
    caller = Caller(Author("bench", "bench"), Audience.PERSON)
    page = asyncio.run(opened.services.search.find(caller, query=word, page_size=100))
    return page.total, sorted(hit.path for hit in page.results) if page.total <= len(page.results) else []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=1000)
    parser.add_argument("--replacements", type=int, default=5000)
    parser.add_argument("--folders", type=int, default=2000)
    parser.add_argument("--storm", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.storm:
        vault, paths, replacements, folders = json.loads(options.storm)
        storm(Path(vault), paths, replacements, folders)
        return
    arguments = f"--notes {options.notes} --replacements {options.replacements} --folders {options.folders}"
    result = {
        "command": f"python -m bench.watch {arguments}",
        "commit": commit(),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "notes": options.notes,
        "replacements": options.replacements,
        "folders": options.folders,
        **measure(options.notes, options.replacements, options.folders),
    }
    text = json.dumps(result, indent=2) + "\n"
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"watch-{options.notes}.json").write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
