"""``python -m bench.search [--notes N] [--words W] [--rounds R]``: whole calls of ``search_notes``, by class of query.

All queries of a class differ. *Cold* means that no postings are kept when a call begins; *warm* is another turn of the
same queries, with the postings of all of them kept, but no answers. CPU time is that of all threads of the process;
what a client's line costs comes to it in ``python -m bench``.
"""

import argparse
import asyncio
import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bench.make_vault import Manifest, generate
from bench.process import commit, machine, percentiles
from sidecar.app import OpenVault, open_vault
from sidecar.config import Settings, StateFolder
from sidecar.index.cache import PostingsCache
from sidecar.model.change import Author
from sidecar.services.caller import Audience, Caller
from sidecar.tools.desk import Desk
from sidecar.tools.dispatch import call_tool
from sidecar.tools.families import tools_of

__all__ = ["classes", "measure"]

RESULTS = Path(__file__).parent / "results"
_SEED = 5
_QUERIES = 25
_DAYS = 900
_CALLER = Caller(Author("bench", "bench"), Audience.AGENT)


def classes(manifest: Manifest, vault: Path, count: int = _QUERIES) -> Mapping[str, Sequence[Mapping[str, Any]]]:
    """Return for each class of query ``count`` different calls; phrases are such as stand somewhere."""
    rng = random.Random(_SEED)
    frequent, middle, rare = manifest.terms[:200], manifest.terms[300:800], manifest.terms[800:]
    phrases = [_phrase(rng, vault / rng.choice(manifest.notes).path) for _ in range(2 * count)]
    beginnings = sorted({word[:2] for word in manifest.terms})
    makes: Mapping[str, Callable[[], str]] = {
        "frequent word": lambda: rng.choice(frequent),
        "word of middling frequency": lambda: rng.choice(middle),
        "rare word": lambda: rng.choice(rare),
        "two words": lambda: " ".join(rng.sample(frequent, 2)),
        "three words": lambda: " ".join(rng.sample(frequent, 3)),
        "either of two": lambda: " OR ".join(rng.sample(frequent, 2)),
        "phrase": lambda: f'"{rng.choice(phrases)}"',
        "phrase nobody wrote": lambda: f'"{rng.choice(frequent)} {rng.choice(frequent)}"',
        "beginning of four letters": lambda: f"{rng.choice(rare)[:4]}*",
        "beginning of two letters": lambda: f"{rng.choice(beginnings)}*",
        "typing error": lambda: _mistyped(rng, rng.choice(middle)),
        "word with a tag": lambda: f"tag:project {rng.choice(frequent)}",
        "word below a folder": lambda: f"path:Projects {rng.choice(frequent)}",
        "word in what changed lately": lambda: rng.choice(frequent),
        "/expression/": lambda: f"/{rng.choice(middle)}[a-z]* {rng.choice('bdfgklmnprstvz')}/",
        "/expression/ without a word": lambda: rf"/{rng.choice(beginnings)}[a-z]\d{{2}}|\b{rng.choice(frequent)}\d/",
        "line:": lambda: f"line:({' '.join(rng.sample(frequent, 2))})",
        "block:": lambda: f"block:({' '.join(rng.sample(frequent, 2))})",
        "section:": lambda: f"section:({' '.join(rng.sample(frequent, 2))})",
        "task-todo:": lambda: f"task-todo:({' '.join(rng.sample(frequent, 2))})",
        "not a line:": lambda: f"{rng.choice(frequent)} -line:({' '.join(rng.sample(frequent, 2))})",
    }
    besides = {"word in what changed lately": {"after_date": "90 days"}}
    queries = {name: list(dict.fromkeys(make() for _ in range(6 * count)))[:count] for name, make in makes.items()}
    return {name: [{"query": q, **besides.get(name, {})} for q in asked] for name, asked in queries.items()}


def measure(vault: Path, state: Path, manifest: Manifest, rounds: int) -> dict[str, Any]:
    """Measure all classes on one vault; of each query its best time in ``rounds`` rounds counts."""
    with _served(vault, state) as (opened, cache):
        desk, tools = Desk.tied_to(opened.services), tools_of()

        async def once(arguments: Mapping[str, Any]) -> float:
            cpu = time.process_time()
            reply = await call_tool(tools, desk, _CALLER, "search_notes", arguments)
            cpu = time.process_time() - cpu
            if reply.is_error:
                raise RuntimeError(reply.blocks[0])
            return cpu

        async def best(calls: Sequence[Mapping[str, Any]], *, warm: bool) -> dict[str, float]:
            times: list[list[float]] = [[] for _ in calls]
            for _ in range(rounds):
                for each, arguments in zip(times, calls, strict=True):
                    if not warm:
                        cache.clear()
                    each.append(await once(arguments))
            return percentiles(list(map(min, times)))

        async def all_classes() -> dict[str, Any]:
            await once({"query": "a line:b"})
            found = {}
            for name, calls in classes(manifest, vault).items():
                cold = await best(calls, warm=False)
                for arguments in calls:
                    await once(arguments)
                found[name] = {"calls": len(calls), "cold": cold, "warm": await best(calls, warm=True)}
            return found

        return asyncio.run(all_classes())


def _age(vault: Path, manifest: Manifest) -> None:
    """Let the notes have changed one after another, the last of them now."""
    for number, note in enumerate(manifest.notes):
        changed = time.time() - number * _DAYS * 86_400 / len(manifest.notes)
        os.utime(vault / note.path, (changed, changed))


def _phrase(rng: random.Random, note: Path) -> str:
    """Take two words that stand together out of a note."""
    lines = [line.strip(".").split() for line in note.read_text("utf-8").split("\n") if line.endswith(".")]
    words = rng.choice([[word for word in line if word.isalpha()] for line in lines if len(line) > 2])
    at = rng.randrange(len(words) - 1)
    return f"{words[at]} {words[at + 1]}"


def _mistyped(rng: random.Random, word: str) -> str:
    at = rng.randrange(1, len(word))
    return word[:at] + rng.choice("xyq") + word[at + 1 :]


@contextmanager
def _served(vault: Path, state: Path) -> Iterator[tuple[OpenVault, PostingsCache]]:
    cache = PostingsCache()
    with patch("sidecar.index.whoosh_index.PostingsCache", lambda: cache):
        opened = open_vault(vault, StateFolder(state), Settings())
    try:
        opened.index_now()
        while opened.writer.submit(opened.index.merge_small).result():
            pass
        yield opened, cache
    finally:
        opened.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--words", type=int, default=6000)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        vault = Path(temporary) / "vault"
        manifest = generate(vault, options.notes, words=options.words)
        _age(vault, manifest)
        measured = measure(vault, Path(temporary) / "state", manifest, options.rounds)
    result = {
        "command": f"python -m bench.search --notes {options.notes} --words {options.words} --rounds {options.rounds}",
        "commit": commit(),
        "machine": machine(),
        "cpu_ms": measured,
    }
    text = json.dumps(result, indent=1) + "\n"
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"search-{options.notes}-{options.words}.json").write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
