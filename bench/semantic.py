"""``python -m bench.semantic``: search by meaning on a generated vault: embedding it, asking it, and what it holds."""

import argparse
import asyncio
import json
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.make_vault import generate
from bench.process import commit, machine, percentiles
from sidecar.app import OpenVault, open_vault
from sidecar.config import Settings, StateFolder
from sidecar.model.change import Author
from sidecar.model.path import VaultPath
from sidecar.services.caller import Audience, Caller

__all__ = ["measure"]

RESULTS = Path(__file__).parent / "results"
_SEED = 13
_CEILING = 600.0
_CALLER = Caller(Author("bench", "bench"), Audience.AGENT)


def measure(notes: int, words: int, questions: int) -> dict[str, Any]:
    """Measure embedding ``notes`` notes in the background, then ``questions`` distinct questions of five words."""
    with tempfile.TemporaryDirectory() as temporary:
        vault, state = Path(temporary) / "vault", StateFolder(Path(temporary) / "state")
        manifest = generate(vault, notes, _SEED, words=words)
        rng = random.Random(_SEED)
        opened = open_vault(vault, state, Settings())
        try:
            opened.index_now()
            alone = _searched(opened, manifest.terms, rng)
            before, begin, cpu = _memory_mb(), time.perf_counter(), time.process_time()
            opened.meaning.start()
            while not opened.meaning.progress.embedded:
                time.sleep(0.1)
            beside = _searched(opened, manifest.terms, rng)
            still = opened.meaning.progress.left > 0
            if not opened.meaning.settle(_CEILING):
                raise RuntimeError("not settled")
            wall, cpu = time.perf_counter() - begin, time.process_time() - cpu
            view = opened.services.content._views.newest(Audience.AGENT)  # noqa: SLF001 - as a search makes it
            asked = list(dict.fromkeys(" ".join(rng.sample(manifest.terms, 5)) for _ in range(questions)))
            some = frozenset(note.path for note in rng.sample(manifest.notes, max(1, notes // 50)))
            all_files = _timed(asked, lambda text: opened.meaning.nearest(text, 10, view.sees))
            few_files = _timed(asked, lambda text: opened.meaning.nearest(text, 10, some.__contains__))
            after = _memory_mb()
            changed = _changed(opened, vault / manifest.notes[0].path)
            progress, folder = opened.meaning.progress, state.project(vault) / "meaning"
            size = sum(file.stat().st_size for file in folder.iterdir())
        finally:
            opened.close()
        again = open_vault(vault, state, Settings())
        try:
            begin, start_cpu = time.perf_counter(), time.process_time()
            again.meaning.nearest("warm", 1, lambda _: True)
            reopened = (time.perf_counter() - begin, time.process_time() - start_cpu)
        finally:
            again.close()
    return {
        "model": progress.model,
        "files": progress.embedded,
        "passages": progress.passages,
        "embedding": {"wall_s": round(wall, 1), "cpu_s": round(cpu, 1)},
        "search by words": {"before": alone, "while embedding" if still else "after": beside},
        "question": all_files,
        "question among few files": few_files,
        "one_changed_note_s": round(changed, 2),
        "restart_to_first_answer": {"wall_s": round(reopened[0], 3), "cpu_s": round(reopened[1], 3)},
        "memory_mb": {"before": round(before), "with model and vectors": round(after)},
        "disk_mb": round(size / 1e6, 1),
    }


def _searched(opened: OpenVault, terms: Sequence[str], rng: random.Random) -> dict[str, Any]:
    """Search by words, ten times a second."""
    walls = []
    for _ in range(40):
        begin = time.perf_counter()
        asyncio.run(opened.services.search.find(_CALLER, query=" ".join(rng.sample(terms, 2))))
        walls.append(time.perf_counter() - begin)
        time.sleep(0.1)
    return {"calls": len(walls), "wall": percentiles(walls)}


def _timed(asked: Sequence[str], ask: Callable[[str], object]) -> dict[str, Any]:
    cpu, wall = [], []
    for text in asked:
        begin, cpu_begin = time.perf_counter(), time.process_time()
        ask(text)
        cpu.append(time.process_time() - cpu_begin)
        wall.append(time.perf_counter() - begin)
    return {"calls": len(asked), "cpu": percentiles(cpu), "wall": percentiles(wall)}


def _changed(opened: OpenVault, note: Path) -> float:
    """Change a note as another program would, and tell when it can be found by its new meaning."""
    note.write_text("# Weather\n\nThunder and lightning over the harbour.\n", encoding="utf-8")
    begin = time.perf_counter()
    opened.pipeline.look_again(frozenset({VaultPath(note.relative_to(opened.services.content._files.root).as_posix())}))  # noqa: SLF001
    while opened.meaning.nearest("storm near the sea", 1, lambda _: True)[0].heading != "Weather":
        time.sleep(0.01)
    return time.perf_counter() - begin


def _memory_mb() -> float:
    for line in Path("/proc/self/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("no Pss")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--words", type=int, default=6000)
    parser.add_argument("--questions", type=int, default=100)
    options = parser.parse_args()
    begin = time.perf_counter()
    measured = measure(options.notes, options.words, options.questions)
    result = {
        "command": f"python -m bench.semantic --notes {options.notes} --words {options.words} "
        f"--questions {options.questions}",
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
    (RESULTS / f"semantic-{options.notes}-{options.words}.json").write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
