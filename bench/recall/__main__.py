"""``python -m bench.recall [--memories N] [FILE]``: which memories a question finds, and what a search costs.

Quality is measured on the facts and questions of ``templates.tsv``, and on FILE when one is given: LoCoMo's
``locomo10.json``, or JSON lines with ``name``, ``description``, ``body`` and, where there is one, a ``question``. CPU
time is that of a whole call of ``recall_search`` in a vault with so many memories, of different questions.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.process import commit, machine, percentiles
from bench.recall.files import Evaluation, read
from bench.recall.rankers import RANKERS, Ranker
from bench.recall.templates import Case, cases
from sidecar.app import open_vault
from sidecar.config import Settings, StateFolder
from sidecar.model.change import Author
from sidecar.parse.memory_file import MemoryForm, MemoryType, new_memory
from sidecar.services.caller import Audience, Caller
from sidecar.tools.desk import Desk
from sidecar.tools.dispatch import call_tool
from sidecar.tools.families import tools_of

__all__ = ["quality", "speed"]

RESULTS = Path(__file__).parents[1] / "results"
_QUESTIONS = 300
_AS_MANY_TEMPLATES = 42
_TIME = "2026-08-15T19:07:18.393Z"


def quality(evaluations: Sequence[Evaluation]) -> dict[str, Any]:
    """Return Hit@1, Recall@5 and MRR@10 of each ranker."""
    return {name: _scores(list(_places(evaluations, build))) for name, build in RANKERS.items()}


def _places(
    evaluations: Sequence[Evaluation], build: Callable[[Sequence[Case]], Ranker]
) -> Iterator[tuple[Sequence[int], int]]:
    """Give for each question the places at which facts that answer it stand among ten, and how many there are."""
    for evaluation in evaluations:
        rank = build(evaluation.facts)
        for question, wanted in evaluation.asked:
            found = list(rank(question))[:10]
            yield [place for place, name in enumerate(found, 1) if name in wanted], len(wanted)


def _scores(places: Sequence[tuple[Sequence[int], int]]) -> Mapping[str, float]:
    count = len(places)
    return {
        "hit@1": round(sum(1 in found for found, _ in places) / count, 3),
        "recall@5": round(sum(sum(place <= 5 for place in found) / wanted for found, wanted in places) / count, 3),
        "mrr@10": round(sum(1 / found[0] for found, _ in places if found) / count, 3),
    }


def speed(folder: Path, count: int) -> dict[str, Any]:
    """Measure searches in a vault of ``count`` memories."""
    memories = list(cases(seed=11, each=count // _AS_MANY_TEMPLATES + 1))[:count]
    (folder / "vault/Memory").mkdir(parents=True)
    for case in memories:
        text = new_memory(
            name=case.name,
            description=case.description,
            kind=MemoryType(case.type),
            body=case.body,
            modified=_TIME,
            form=MemoryForm.NESTED,
        )
        (folder / f"vault/Memory/{case.name}.md").write_text(text, "utf-8")
    opened = open_vault(folder / "vault", StateFolder(folder / "state"), Settings())
    try:
        opened.index_now()
        desk, tools, caller = (
            Desk.tied_to(opened.services),
            tools_of(),
            Caller(Author("bench", "bench"), Audience.AGENT),
        )

        async def once(question: str) -> float:
            cpu = time.process_time()
            reply = await call_tool(tools, desk, caller, "recall_search", {"query": question})
            if reply.is_error:
                raise RuntimeError(reply.blocks[0])
            return time.process_time() - cpu

        async def every() -> dict[str, Any]:
            first = await once("first of all")
            questions = [case.question for case in memories[:: max(1, count // _QUESTIONS)]]
            return {"first_ms": round(first * 1000, 1), **percentiles([await once(question) for question in questions])}

        return asyncio.run(every())
    finally:
        opened.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=5000)
    parser.add_argument("file", type=Path, nargs="?")
    options = parser.parse_args()
    own = list(cases())
    with tempfile.TemporaryDirectory() as temporary:
        measured = speed(Path(temporary), options.memories)
    result = {
        "command": f"python -m bench.recall --memories {options.memories}",
        "commit": commit(),
        "machine": machine(),
        "facts": len(own),
        "quality": quality([Evaluation.of(own)]),
        **({"file": quality(read(options.file))} if options.file else {}),
        "memories": options.memories,
        "search_cpu_ms": measured,
    }
    text = json.dumps(result, indent=1) + "\n"
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "recall.json").write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
