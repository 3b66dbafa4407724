"""``python -m bench [--notes N] [--words W]``: measure, and keep the result under ``bench/results/``."""

import argparse
import json
import time
from datetime import UTC, datetime
from pathlib import Path

from bench.core import measure
from bench.process import commit, machine

RESULTS = Path(__file__).parent / "results"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=1000)
    parser.add_argument("--words", type=int, default=6000)
    options = parser.parse_args()
    begin = time.perf_counter()
    measured = measure(options.notes, options.words)
    result = {
        "command": f"python -m bench --notes {options.notes} --words {options.words}",
        "commit": commit(),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "seconds": round(time.perf_counter() - begin, 1),
        "notes": options.notes,
        "words": options.words,
        **measured,
    }
    text = json.dumps(result, indent=2) + "\n"
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"core-{options.notes}-{options.words}.json").write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
