"""``python -m bench.move``: moves of notes that many others link to, in a large vault, and their undoing."""

import argparse
import json
import random
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.make_vault import generate
from bench.process import Server, commit, machine, own_home, percentiles, run

__all__ = ["measure"]

RESULTS = Path(__file__).parent / "results"
_SEED = 11


def measure(notes: int, inbound: int, moves: int) -> dict[str, Any]:
    """Measure ``moves`` moves of notes with ``inbound`` notes each that link there, in a vault of ``notes`` notes."""
    with tempfile.TemporaryDirectory() as temporary:
        vault = Path(temporary) / "vault"
        manifest = generate(vault, notes, _SEED)
        rng = random.Random(_SEED)
        for number in range(moves):
            (vault / f"Hub {number}.md").write_text(f"# Hub {number}\n", encoding="utf-8")
            for note in rng.sample(manifest.notes, inbound):
                with (vault / note.path).open("a", encoding="utf-8") as file:
                    file.write(f"\nSee [[Hub {number}]] and [this](<Hub {number}.md>).\n")
        environment = own_home(Path(temporary) / "state")
        run(["index", str(vault), "--json"], environment)
        before = _bytes(vault)
        with Server(vault, environment) as server:
            server.call("search_notes", {"query": "warmup"})
            _settle(server)
            moved = [_moved(server, number, inbound) for number in range(moves)]
            undone, searched = [], []
            for number in reversed(range(moves)):
                undone.append(server.call("undo", {})[1:])
                searched.append(_search(server, number, inbound))
                _settle(server)
        different = [path for path, data in _bytes(vault).items() if before.get(path) != data]
    return {
        "move_note": _percentiles([call for call, _ in moved]),
        "move_note_until_indexed": _percentiles([settled for _, settled in moved]),
        "undo": _percentiles(undone),
        "search_at_once_after_undo": _percentiles(searched),
        "files_different_after_undo": len(different),
    }


def _move(server: Server, number: int, inbound: int) -> tuple[float, float]:
    arguments = {"identifier": f"Hub {number}", "destination_path": f"Moved/Centre {number}"}
    text, cpu, wall = server.call("move_note", arguments)
    if f"files with rewritten links: {inbound}\n" not in text:
        raise RuntimeError(text)
    return cpu, wall


def _search(server: Server, number: int, inbound: int) -> tuple[float, float]:
    text, cpu, wall = server.call("search_notes", {"query": f'"see hub {number}"'})
    if not text.startswith(f"{inbound} match"):
        raise RuntimeError(text)
    return cpu, wall


def _moved(server: Server, number: int, inbound: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return what a move took, and what it took until the index had caught up."""
    cpu, begin = server.cpu(), time.perf_counter()
    took = _move(server, number, inbound)
    _settle(server)
    return took, (server.cpu() - cpu, time.perf_counter() - begin)


def _settle(server: Server) -> None:
    while server.pending():
        time.sleep(0.02)


def _percentiles(times: list[tuple[float, float]]) -> dict[str, Any]:
    return {"cpu": percentiles([t[0] for t in times]), "wall": percentiles([t[1] for t in times])}


def _bytes(vault: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in vault.rglob("*") if path.is_file()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--inbound", type=int, default=200)
    parser.add_argument("--moves", type=int, default=5)
    options = parser.parse_args()
    result = {
        "command": f"python -m bench.move --notes {options.notes} --inbound {options.inbound} --moves {options.moves}",
        "commit": commit(),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        **measure(options.notes, options.inbound, options.moves),
    }
    text = json.dumps(result, indent=2) + "\n"
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"move-{options.notes}-{options.inbound}.json").write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
