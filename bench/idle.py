"""``python -m bench.idle [--notes N]``: what the daemon costs while nothing happens: processor time and memory."""

import argparse
import json
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.make_vault import generate
from bench.process import Server, commit, machine, own_home, run

__all__ = ["measure"]

RESULTS = Path(__file__).parent / "results"
_SETTLING = 10.0
"""Seconds after which the files of the index are checked and its small segments merged."""


def measure(notes: int, seconds: float) -> dict[str, Any]:
    """Measure so long on an indexed vault of ``notes`` notes, before and after a few calls."""
    with tempfile.TemporaryDirectory() as temporary:
        vault = Path(temporary) / "vault"
        manifest = generate(vault, notes)
        environment = own_home(Path(temporary) / "state")
        run(["index", str(vault), "--json"], environment)
        with Server(vault, environment) as server:
            while server.pending():
                time.sleep(0.05)
            time.sleep(_SETTLING)
            opened_mb = server.memory_mb()
            cpu, begin = server.cpu(), time.perf_counter()
            time.sleep(seconds)
            share = (server.cpu() - cpu) / (time.perf_counter() - begin)
            for term in manifest.terms[:40]:
                server.call("search_notes", {"query": term})
            time.sleep(1)
            searched_mb = server.memory_mb()
    return {
        "idle_seconds": seconds,
        "idle_cpu_percent": round(100 * share, 3),
        "opened_memory_mb": round(opened_mb),
        "searched_memory_mb": round(searched_mb),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=180.0)
    options = parser.parse_args()
    result = {
        "command": f"python -m bench.idle --notes {options.notes} --seconds {options.seconds:g}",
        "commit": commit(),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "notes": options.notes,
        **measure(options.notes, options.seconds),
    }
    text = json.dumps(result, indent=2) + "\n"
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"idle-{options.notes}.json").write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
