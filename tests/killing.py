"""Runs scenarios in children that kill themselves at the n-th step: the loop of such a script, and the test's end of it."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

__all__ = ["Run", "answer_lines", "running"]

Run: TypeAlias = Callable[[Path, str, int], int | None]
"""Runs a scenario in a folder, killed before the given step; gives the number of steps if it survived."""


def answer_lines(run: Callable[[Path, str, int], int]) -> None:
    """Read lines ``N SCENARIO FOLDER`` and print for each the number of steps, or ``killed``; a process of its own."""
    for line in sys.stdin:
        blows_at, scenario, folder = line.rstrip("\n").split(" ", 2)
        child = os.fork()
        if child == 0:
            print(run(Path(folder), scenario, int(blows_at)), flush=True)  # noqa: T201 - what the test reads
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
            print("killed", flush=True)  # noqa: T201
        elif status:
            sys.exit("the child failed")


@contextmanager
def running(script: Path) -> Iterator[Run]:
    """Start a script that calls :func:`answer_lines`."""
    root = Path(__file__).parents[1]
    with subprocess.Popen(
        [sys.executable, script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(root)},
    ) as process:
        commands, answers = process.stdin, process.stdout
        assert commands is not None
        assert answers is not None

        def run(folder: Path, scenario: str, step: int) -> int | None:
            commands.write(f"{step} {scenario} {folder}\n")
            commands.flush()
            answer = answers.readline().strip()
            return None if answer == "killed" else int(answer)

        yield run
        commands.close()
