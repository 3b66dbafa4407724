"""What belongs to one note or fact, cut to the room that a reply has for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sidecar.catalog.permalink import permalink_of
from sidecar.model.note import Observation
from sidecar.model.path import VaultPath
from sidecar.services.facts import Fact, RelationFact, created_ns, relation_facts
from sidecar.services.neighbours import LinkNames, Neighbour, around
from sidecar.services.portions import fitting, portions, weight
from sidecar.services.views import View

__all__ = ["ContextItem", "FactItem", "Gathering", "RelatedNote"]

_SHOWN = 1500
"""Characters of a note's text that are shown at most; read_note gives the rest."""
_AROUND_ITEM, _AROUND_RELATED, _AROUND_FACT = 420, 250, 75
"""Characters that JSON's keys take beside the texts."""


@dataclass(frozen=True, slots=True)
class RelatedNote:
    """A linked note, with the link that led to it: ``relation`` from ``source`` to ``target``."""

    path: VaultPath
    title: str
    permalink: str
    modified_ns: int
    hops: int
    relation: str
    source: VaultPath
    target: VaultPath


@dataclass(frozen=True, slots=True)
class ContextItem:
    """One note that was asked for, the beginning of its text, its facts and its neighbours.

    ``left_out`` counts the facts and neighbours for which there was no room.
    """

    path: VaultPath
    title: str
    permalink: str
    created_ns: int
    modified_ns: int
    text: str
    cut: bool
    observations: tuple[Observation, ...]
    relations: tuple[RelationFact, ...]
    related: tuple[RelatedNote, ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class FactItem:
    """One observation or relation that was asked for, with the note it stands in and the one it leads to."""

    fact: Fact
    title: str
    modified_ns: int
    related: tuple[RelatedNote, ...] = ()


@dataclass(slots=True)
class Gathering:
    """Gathers for one call, and remembers in ``hidden`` what was last changed before ``after``."""

    view: View
    after: int
    depth: int
    most: int
    names: LinkNames
    hidden: dict[VaultPath | Fact, int] = field(default_factory=dict)

    def note(self, path: VaultPath, body: str, room: int) -> ContextItem:
        """Return a note with its facts and neighbours; ``body`` is what may be shown of its text."""
        view = self.view
        related = self._recent(around(view, path, self.depth, self._are_enough))
        title = view.titles_of([path]).get(path, path.basename)
        observations, relations = view.observations(path), tuple(relation_facts(view, path))
        room -= _AROUND_ITEM + weight(title, path, permalink_of(path))
        wants = (
            weight(body[:_SHOWN]),
            sum(map(_observation_weight, observations)),
            sum(map(_relation_weight, relations)),
            sum(map(_related_weight, related)),
        )
        shares = portions(room, wants)
        text, cut = _beginning(body, _SHOWN * shares[0] // max(1, wants[0]))
        some_observations = fitting(observations, shares[1], _observation_weight)
        some_relations = fitting(relations, shares[2], _relation_weight)
        some_related = fitting(related, shares[3], _related_weight)
        shown = len(some_observations) + len(some_relations) + len(some_related)
        modified = self.modified(path)
        return ContextItem(
            path=path,
            title=title,
            permalink=permalink_of(path),
            created_ns=created_ns(view, path, modified),
            modified_ns=modified,
            text=text,
            cut=cut,
            observations=some_observations,
            relations=some_relations,
            related=some_related,
            left_out=len(observations) + len(relations) + len(related) - shown,
        )

    def fact(self, fact: Fact) -> FactItem:
        """Return a fact with the note it leads to."""
        target = fact.target if isinstance(fact, RelationFact) else None
        neighbours = [Neighbour(target, 1, fact.path, target, self.modified(target))] if target else []
        title = self.view.titles_of([fact.path]).get(fact.path, fact.path.basename)
        return FactItem(fact, title, self.modified(fact.path), tuple(self._recent(neighbours)))

    def recent(self, items: Sequence[VaultPath | Fact]) -> list[VaultPath | Fact]:
        """Return what was changed within the timeframe, by the notes it stands in."""
        times = {item: self.modified(item if isinstance(item, VaultPath) else item.path) for item in items}
        self.hidden |= {item: at for item, at in times.items() if at < self.after}
        return [item for item, at in times.items() if at >= self.after]

    def modified(self, path: VaultPath) -> int:
        """Return when a file was last changed."""
        state = self.view.state(path)
        return state.mtime_ns if state else 0

    def _are_enough(self, found: Sequence[Neighbour]) -> bool:
        return sum(n.modified_ns >= self.after for n in found) >= self.most

    def _recent(self, neighbours: Sequence[Neighbour]) -> list[RelatedNote]:
        self.hidden |= {n.path: n.modified_ns for n in neighbours if n.modified_ns < self.after}
        recent = [n for n in neighbours if n.modified_ns >= self.after][: self.most]
        titles: Mapping[VaultPath, str] = self.view.titles_of([n.path for n in recent])
        return [
            RelatedNote(
                path=n.path,
                title=titles.get(n.path, n.path.basename),
                permalink=permalink_of(n.path),
                modified_ns=n.modified_ns,
                hops=n.hops,
                relation=self.names.between(n.source, n.target),
                source=n.source,
                target=n.target,
            )
            for n in recent
        ]


def _beginning(body: str, longest: int) -> tuple[str, bool]:
    """Cut a text at the end of a line, if one is near."""
    if len(body) <= longest:
        return body, False
    return body[: body.rfind("\n", 0, longest) if "\n" in body[1:longest] else longest], True


def _observation_weight(observation: Observation) -> int:
    return _AROUND_FACT + weight(observation.category, observation.content, *observation.tags)


def _relation_weight(fact: RelationFact) -> int:
    return _AROUND_FACT + weight(fact.relation.type, fact.relation.target)


def _related_weight(note: RelatedNote) -> int:
    return _AROUND_RELATED + weight(note.title, note.permalink, note.path, note.relation, note.source, note.target)
