"""``python -m bench.make_vault DIR N [SEED]``: a deterministic vault as people keep them, of any size.

Two thirds of the notes have properties, a third observations and relations; all have links of several forms, many have
tasks, code or callouts; words follow Zipf's law. The same arguments always give the same bytes.
"""

import argparse
import json
import random
import re
import unicodedata
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

__all__ = ["GeneratedNote", "Manifest", "generate"]

_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_SYLLABLES = [c + v for c in _CONSONANTS for v in _VOWELS]
_FOLDERS = (
    "Daily", "Projects/Apollo", "Projects/Borealis", "Projects/Cygnus/Specs", "People", "Meetings/2025",
    "Meetings/2026", "Areas/Health", "Areas/Finance", "Resources/Books", "Resources/Papers", "Zettelkasten",
    "Inbox", "Archive/2023", "Archive/2024",
)  # fmt: skip
_TAGS = ("project", "idea", "person", "meeting", "book", "area/health", "area/finance")
_CATEGORIES = ("decision", "tech", "idea", "fact", "requirement", "question", "tip")
_RELATIONS = ("relates_to", "depends_on", "implements", "part_of", "inspired_by", "supersedes")
_STATES = ("draft", "active", "done", "archived")


@dataclass(frozen=True, slots=True)
class GeneratedNote:
    """A note's names, known before any text is written, so that notes can link to one another."""

    title: str
    path: str
    permalink: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What was made: the notes, and words by falling frequency (the very commonest left out)."""

    notes: tuple[GeneratedNote, ...]
    terms: tuple[str, ...]


class _Words:
    """Draws words so that the n-th is about n times rarer than the first."""

    def __init__(self, rng: random.Random, size: int) -> None:
        self._rng = rng
        lengths = (2, 2, 3, 3, 4) if size <= 6000 else (2, 2, 3, 3, 4, 5)
        seen: dict[str, None] = {}
        while len(seen) < size:
            seen["".join(rng.choice(_SYLLABLES) for _ in range(rng.choice(lengths)))] = None
        self.all = list(seen)
        self._weights = list(accumulate(1.0 / (i + 3) for i in range(size)))

    def pick(self, count: int) -> list[str]:
        return self._rng.choices(self.all, cum_weights=self._weights, k=count)

    def sentence(self, count: int) -> str:
        return " ".join(self.pick(count)).capitalize() + "."


def generate(root: Path, count: int, seed: int = 7, words: int = 6000) -> Manifest:
    """Write ``count`` notes, a few attachments and canvases, and the settings of a vault into ``root``."""
    rng = random.Random(seed)
    vocabulary = _Words(rng, words)
    notes = tuple(_named(rng, vocabulary, number) for number in range(count))
    for number, note in enumerate(notes):
        path = root / note.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_text(rng, vocabulary, notes, number), encoding="utf-8", newline="\n")
    _others(root, rng, notes)
    return Manifest(notes, tuple(vocabulary.all[20:1500]))


def _named(rng: random.Random, words: _Words, number: int) -> GeneratedNote:
    folder = _FOLDERS[number % len(_FOLDERS)] if rng.random() < 0.9 else rng.choice(_FOLDERS)
    title = f"{rng.choice(words.all[200:]).capitalize()} {rng.choice(words.all[200:])} {number:05d}"
    return GeneratedNote(title, f"{folder}/{title}.md", _slug(f"{folder}/{title}"))


def _text(rng: random.Random, words: _Words, notes: tuple[GeneratedNote, ...], number: int) -> str:
    note = notes[number]
    lines = _properties(rng, note, number) if rng.random() < 0.65 else []
    lines += [f"# {note.title}", "", *_paragraphs(rng, words, notes)]
    if rng.random() < 0.3:
        lines += ["## Observations", "", *(_observation(rng, words) for _ in range(rng.randint(2, 6))), ""]
        targets = [rng.choice(notes).title for _ in range(rng.randint(1, 4))]
        lines += ["## Relations", "", *(f"- {rng.choice(_RELATIONS)} [[{target}]]" for target in targets), ""]
    if rng.random() < 0.4:
        lines += ["## Tasks", "", *(_task(rng, words) for _ in range(rng.randint(2, 5))), ""]
    if rng.random() < 0.2:
        function, target = words.pick(2)
        lines += ["```python", f"def {function}():", f"    return '[[{target}]]'", "```", ""]
    if rng.random() < 0.15:
        lines += [f"> [!note] {' '.join(words.pick(3))}", f"> {words.sentence(12)}", ""]
    return "\n".join(lines)


def _properties(rng: random.Random, note: GeneratedNote, number: int) -> list[str]:
    lines = ["---"]
    if rng.random() < 0.5:
        lines.append(f"aliases: [{note.title.split()[0]} alias {number}]")
    lines += ["tags:", *(f"  - {rng.choice(_TAGS)}" for _ in range(rng.randint(1, 3)))]
    if rng.random() < 0.6:
        lines.append(f"status: {rng.choice(_STATES)}")
    if rng.random() < 0.4:
        day = f"2026-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
        lines += [f"priority: {rng.randint(1, 5)}", f"created: {day}   # keep me"]
    return [*lines, "---", ""]


def _paragraphs(rng: random.Random, words: _Words, notes: tuple[GeneratedNote, ...]) -> list[str]:
    lines: list[str] = []
    left = max(40, min(2500, int(rng.lognormvariate(5.3, 0.8))))
    while left > 0:
        length = min(left, rng.randint(20, 70))
        paragraph = words.sentence(length)
        if rng.random() < 0.5:
            paragraph += f" See {_link(rng, rng.choice(notes))} for #{rng.choice(('todo', 'idea', 'ref'))}."
        lines += [paragraph, ""]
        left -= length
        if rng.random() < 0.25:
            lines += [f"## {' '.join(words.pick(2)).title()}", ""]
    return lines


def _link(rng: random.Random, note: GeneratedNote) -> str:
    form = rng.random()
    if form < 0.5:
        return f"[[{note.title}]]"
    if form < 0.75:
        return f"[[{note.title}|{note.title.split()[0]}]]"
    return f"[[{note.path[:-3]}]]" if form < 0.9 else f"![[{note.title}#Notes]]"


def _observation(rng: random.Random, words: _Words) -> str:
    return f"- [{rng.choice(_CATEGORIES)}] {words.sentence(rng.randint(6, 14))} #{rng.choice(words.all[300:900])}"


def _task(rng: random.Random, words: _Words) -> str:
    day = f"2026-0{rng.randint(1, 9)}-1{rng.randint(0, 9)}"
    return f"- [{rng.choice((' ', 'x', '/'))}] {' '.join(words.pick(6))} 📅 {day}"


def _others(root: Path, rng: random.Random, notes: tuple[GeneratedNote, ...]) -> None:
    (root / ".obsidian").mkdir(parents=True, exist_ok=True)
    (root / ".obsidian/app.json").write_text('{\n  "alwaysUpdateLinks": true\n}', encoding="utf-8")
    (root / "Attachments").mkdir(exist_ok=True)
    for number in range(max(1, len(notes) // 100)):
        (root / f"Attachments/img{number}.png").write_bytes(rng.randbytes(4096))
    for number in range(max(1, len(notes) // 500)):
        card = {"id": f"{number:016x}", "type": "file", "file": notes[number].path, "x": 0, "y": 0, "width": 400,
                "height": 300}  # fmt: skip
        text = json.dumps({"nodes": [card], "edges": []})
        (root / f"Board {number}.canvas").write_text(text, encoding="utf-8")


def _slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9/]+", "-", plain).strip("-")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=7)
    parser.add_argument("--words", type=int, default=6000, help="distinct words; a large real vault has 60,000")
    options = parser.parse_args()
    manifest = generate(options.root, options.count, options.seed, options.words)
    print(len(manifest.notes), "notes")


if __name__ == "__main__":
    main()
