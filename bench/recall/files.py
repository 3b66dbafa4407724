"""Evaluations that are not shipped, read from a file: LoCoMo's conversations, or JSON lines of facts with questions."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.recall.templates import Case

__all__ = ["Evaluation", "read"]

_ADVERSARIAL = 5
"""LoCoMo's category of questions that have no answer."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One store of facts, and questions with the names of the facts that answer them."""

    facts: Sequence[Case]
    asked: Sequence[tuple[str, frozenset[str]]]

    @classmethod
    def of(cls, cases: Sequence[Case]) -> "Evaluation":
        """Ask the question that each fact has."""
        return cls(cases, [(case.question, frozenset({case.name})) for case in cases if case.question])


def read(file: Path) -> list[Evaluation]:
    """Read ``locomo10.json``, each turn of a conversation being a fact, or JSON lines with the keys of a case."""
    text = file.read_text("utf-8")
    if text.lstrip().startswith("["):
        return list(map(_conversation, json.loads(text)))
    lines = (json.loads(line) for line in text.splitlines() if line.strip())
    return [
        Evaluation.of([Case(o["name"], o["description"], "reference", o["body"], o.get("question", "")) for o in lines])
    ]


def _conversation(item: dict[str, Any]) -> Evaluation:
    facts = list(_turns(item["conversation"]))
    names = {fact.name for fact in facts}
    asked = [
        (qa["question"], frozenset(qa["evidence"]) & names)
        for qa in item["qa"]
        if qa.get("category") != _ADVERSARIAL and qa.get("evidence")
    ]
    return Evaluation(facts, [(question, wanted) for question, wanted in asked if wanted])


def _turns(conversation: dict[str, Any]) -> Iterator[Case]:
    for name, turns in conversation.items():
        if name.startswith("session_") and isinstance(turns, list):
            for turn in turns:
                yield Case(turn["dia_id"], turn["speaker"], "reference", turn["text"], "")
