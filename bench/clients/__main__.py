"""``python -m bench.clients [NAME …]``: let programs of others loose on the server; see ``bench/results/clients.json``.

They are installed once in the folder that VAULT_SIDECAR_CLIENTS names, else among temporary files.
"""

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from bench.clients.programs import PROGRAMS, let_loose
from bench.clients.workshop import Workshop
from bench.process import commit, machine

RESULTS = Path(__file__).parents[1] / "results/clients.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*PROGRAMS, []], help="programs to run; all when none is named")
    names = parser.parse_args().names or list(PROGRAMS)
    known = json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}
    workshop, failed = Workshop.given(may_fetch=True), []
    for name in names:
        outcome = let_loose(name, workshop)
        known[name] = {
            "outcome": "not run" if outcome.not_run else "passed" if outcome.passed else "failed",
            **({"reason": outcome.not_run} if outcome.not_run else {}),
            **({"failed": outcome.failed} if outcome.failed else {}),
            "command": f"python -m bench.clients {name}",
            "commit": commit(),
            "date": datetime.now(UTC).date().isoformat(),
            "machine": machine(),
            "versions": dict(outcome.versions),
            "checks": dict(outcome.checks),
        }
        print(f"{name}: {known[name]['outcome']} {outcome.not_run or ', '.join(outcome.failed)}", flush=True)
        failed += [name] if outcome.failed else []
        RESULTS.write_text(json.dumps({n: known[n] for n in PROGRAMS if n in known}, indent=2) + "\n", encoding="utf-8")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
