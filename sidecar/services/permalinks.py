"""Patterns of permalinks: ``docs/meeting-*``, with and without the project's name before them."""

import re
from collections.abc import Callable, Iterable, Iterator
from fnmatch import translate

from sidecar.catalog.keys import text_key
from sidecar.catalog.permalink import permalink_of
from sidecar.model.path import VaultPath
from sidecar.model.search import Everything
from sidecar.services.asked import Plan, RowKind, SearchType
from sidecar.services.facts import observation_facts, relation_facts
from sidecar.services.rankings import Ranked, Ranking
from sidecar.services.views import View

__all__ = ["permalink_test", "rank_permalinks"]


def permalink_test(pattern: str, project: str) -> Callable[[str], bool]:
    """Return what tells whether a permalink fits; ``*`` stands for anything, slashes too, and case does not count.

    A note's name is taken for its permalink, so ``Docs/Plan A`` and ``docs/plan-a`` are the same.
    """
    key = text_key(pattern.strip().strip("/"))
    heads = {f"{text_key(project)}/", f"{permalink_of(VaultPath(project))}/"}
    whole = {key, *(key.removeprefix(head) for head in heads)}
    forms = whole | {_hyphened(form) for form in whole}
    fits = re.compile("|".join(translate(form) for form in sorted(forms))).match
    return lambda permalink: fits(permalink) is not None


def rank_permalinks(view: View, plan: Plan, among: frozenset[VaultPath] | None, project: str, limit: int) -> Ranking:
    """Return what has a permalink that fits the pattern, in the order of the permalinks."""
    fits = permalink_test(plan.text, project)
    found = [row for row in _named(view, plan, among) if fits(row[0])]
    found.sort(key=lambda row: (row[0], row[1].path))
    rows = dict.fromkeys(row for _, row in found)
    return Ranking(Everything(), tuple(rows)[:limit], len(rows), SearchType.PERMALINK)


def _named(view: View, plan: Plan, among: frozenset[VaultPath] | None) -> Iterator[tuple[str, Ranked]]:
    if RowKind.ENTITY in plan.rows:
        for path, permalink in view.permalinks():
            if among is None or path in among:
                yield permalink, Ranked(path)
    paths: Iterable[VaultPath] = sorted(view.snapshot.files if among is None else among)
    if RowKind.OBSERVATION in plan.rows:
        wanted = {path for path, _ in view.observations_of(paths, plan.categories)}
        for path in wanted:
            for fact in observation_facts(view, path):
                if not plan.categories or text_key(fact.observation.category) in map(text_key, plan.categories):
                    yield fact.permalink, Ranked(path, fact=fact.observation)
    if RowKind.RELATION in plan.rows:
        for path in {path for path, _ in view.relations_of(paths)}:
            for relation in relation_facts(view, path):
                yield relation.permalink, Ranked(path, fact=relation.relation)


def _hyphened(pattern: str) -> str:
    return re.sub(r"[\s_]+", "-", pattern)
