"""The facts of a note as rows of their own, each under the permalink that Basic Memory gives it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from sidecar.catalog.permalink import permalink_of
from sidecar.model.note import Json, Observation, Relation
from sidecar.model.path import VaultPath
from sidecar.parse.wikilink import wikilink_target
from sidecar.services.views import View

__all__ = [
    "Fact",
    "ObservationFact",
    "RelationFact",
    "created_in",
    "created_ns",
    "observation_facts",
    "relation_facts",
    "target_of",
]

_LONGEST = 200
"""Characters of an observation that stand in its permalink."""
_CREATED = ("created", "created_at", "date created")


@dataclass(frozen=True, slots=True)
class ObservationFact:
    """One observation: ``note/observations/category/text``."""

    path: VaultPath
    permalink: str
    observation: Observation


@dataclass(frozen=True, slots=True)
class RelationFact:
    """One typed link: ``note/type/target``; ``target`` is ``None`` where it leads nowhere."""

    path: VaultPath
    permalink: str
    relation: Relation
    target: VaultPath | None


Fact = ObservationFact | RelationFact


def observation_facts(view: View, path: VaultPath) -> Iterator[ObservationFact]:
    """Go through a note's observations, in order."""
    note = permalink_of(path)
    for observation in view.observations(path):
        text = _slug(observation.content[:_LONGEST])
        yield ObservationFact(path, f"{note}/observations/{_slug(observation.category)}/{text}", observation)


def relation_facts(view: View, path: VaultPath) -> Iterator[RelationFact]:
    """Go through a note's typed links, in order."""
    note = permalink_of(path)
    for relation in view.relations(path):
        target = target_of(view, path, relation)
        to = permalink_of(target) if target else _slug(relation.target.partition("|")[0].partition("#")[0])
        yield RelationFact(path, f"{note}/{_slug(relation.type)}/{to}", relation, target)


def target_of(view: View, path: VaultPath, relation: Relation) -> VaultPath | None:
    """Find where a relation that stands in ``path`` leads."""
    meant = wikilink_target(relation.target)
    return view.resolve(meant.linkpath, path).target if meant else None


def created_ns(view: View, path: VaultPath, modified_ns: int) -> int:
    """Return when a note says it was created; else when it was last changed, since file systems keep no more."""
    note = view.note(path)
    return created_in(note.properties if note else {}, modified_ns)


def created_in(properties: Mapping[str, Json], modified_ns: int) -> int:
    """Return the moment of creation that properties state, else ``modified_ns``."""
    said = {name.lower(): value for name, value in properties.items()}
    for text in (said[name] for name in _CREATED if name in said):
        try:
            return int(datetime.fromisoformat(str(text)).astimezone().timestamp() * 1e9)
        except (ValueError, OverflowError, OSError):
            continue
    return modified_ns


def _slug(text: str) -> str:
    return permalink_of(VaultPath(text))
