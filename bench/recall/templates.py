"""Facts and questions of an invented team, made for this evaluation: each question is worded unlike its fact."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Case", "cases"]

_POOLS = {
    "service": "billing checkout gateway ledger mailer scheduler search sessions uploads warehouse",
    "person": "Amara Bjorn Chidi Dolores Emeka Farah Goran Hanako Ines Jamal Katya Leandro",
    "client": "Altmark Borealis Cascadia Delphine Everhart Fenwick Galatea Harrow",
    "city": "Bergen Cork Gdansk Lyon Porto Turku Utrecht Vilnius",
    "day": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "month": "January March April June August September October December",
    "language": "Elixir Go Haskell Kotlin Python Ruby Rust Scala",
    "tool": "Ansible Buildkite Grafana Jenkins Kibana Nomad Terraform Vault",
    "food": "almonds celery cheese kiwi lentils peanuts shellfish sesame",
    "number": "4 7 12 25 40 90 180 365",
    "port": "5010 6120 7230 8340 9450 5560 6670 7780",
    "colour": "amber crimson indigo ivory maroon olive teal violet",
}
"""Words for the places in braces."""
_TEMPLATES = Path(__file__).with_name("templates.tsv")


@dataclass(frozen=True, slots=True)
class Case:
    """One memory, and a question that only it answers."""

    name: str
    description: str
    type: str
    body: str
    question: str


_EACH = 8


def cases(seed: int = 7, each: int = _EACH) -> Iterator[Case]:
    """Go through ``each`` cases of every template; no two memories of one template are about the same."""
    rng = random.Random(seed)
    taken: set[str] = set()
    pools = {pool: words.split() for pool, words in _POOLS.items()}
    for line in _TEMPLATES.read_text("utf-8").splitlines()[1:]:
        kind, name, description, body, question = line.split("\t")
        subject = name.partition("{")[2].partition("}")[0]
        subjects = list(pools[subject])
        rng.shuffle(subjects)
        for number in range(each):
            chosen = {pool: rng.choice(words) for pool, words in pools.items()}
            chosen[subject] = subjects[number % len(subjects)]
            slug = name.format(**chosen).lower()
            if slug in taken:
                slug = f"{slug}-{len(taken)}"
            taken.add(slug)
            yield Case(slug, description.format(**chosen), kind, body.format(**chosen), question.format(**chosen))
