"""``python -m bench.shim``: from the launch of the shim to its first answer, with a warm daemon (wall milliseconds)."""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.process import commit, machine
from sidecar.daemon import shim

RESULTS = Path(__file__).parent / "results"
EXAMPLES = Path(__file__).parents[1] / "examples-vault"
_INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    },
}


def measure(repetitions: int) -> dict[str, Any]:
    """Launch each way again and again, by turns, so that noise meets all alike."""
    with tempfile.TemporaryDirectory() as temporary:
        vault = Path(temporary) / "vault"
        shutil.copytree(EXAMPLES, vault)
        environment = {
            **os.environ,
            "VAULT_SIDECAR_HOME": str(Path(temporary) / "state"),
            "VAULT_SIDECAR_DEFAULT_HOME": str(Path(temporary) / "default"),
        }
        ways = {
            "bare Python (python -I -S -c pass)": [sys.executable, "-I", "-S", "-c", "pass"],
            "python -I -S shim.py": [sys.executable, "-I", "-S", shim.__file__, "--vault", str(vault)],
            "vault-sidecar mcp": [str(Path(sys.executable).with_name("vault-sidecar")), "mcp", "--vault", str(vault)],
        }
        try:
            cold = _launch(ways["python -I -S shim.py"], environment)
            taken: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
            for _ in range(repetitions):
                for name, command in ways.items():
                    taken[name].append(_launch(command, environment))
        finally:
            subprocess.run([sys.executable, "-m", "sidecar", "stop"], env=environment, capture_output=True, check=True)
    return {
        "launches": repetitions,
        "daemon_not_running_wall_ms": round(1000 * cold[0]),
        "warm": {name: _summary(times) for name, times in taken.items()},
    }


def _launch(command: list[str], environment: Mapping[str, str]) -> tuple[float, float]:
    """Return wall seconds to the first answer, and CPU seconds of the whole process."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment) as process:
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("no pipes")
        process.stdin.write(json.dumps(_INITIALIZE).encode() + b"\n")
        process.stdin.flush()
        process.stdout.readline()
        wall = time.perf_counter() - begin
        process.stdin.close()
        process.wait(30)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _summary(times: list[tuple[float, float]]) -> dict[str, float]:
    wall, cpu = sorted(t[0] for t in times), sorted(t[1] for t in times)
    return {
        "wall_median_ms": round(1000 * wall[len(wall) // 2], 1),
        "wall_p95_ms": round(1000 * wall[round(0.95 * (len(wall) - 1))], 1),
        "cpu_median_ms": round(1000 * cpu[len(cpu) // 2], 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--launches", type=int, default=40)
    options = parser.parse_args()
    result = {
        "command": f"python -m bench.shim --launches {options.launches}",
        "commit": commit(),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        **measure(options.launches),
    }
    text = json.dumps(result, indent=2) + "\n"
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "shim.json").write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
