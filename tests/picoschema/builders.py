"""Notes to be checked, in one line."""

from collections.abc import Mapping

from sidecar.model.note import Json, Observation, Relation
from sidecar.picoschema.subject import Lead, Subject

__all__ = ["subject"]


def subject(
    properties: Mapping[str, Json] | None = None,
    *facts: tuple[str, str],
    links: Mapping[str, tuple[str, ...]] | None = None,
    **relations: str,
) -> Subject:
    """Return a note with these facts from line 1 on; ``links`` gives the types of the notes there are."""
    known = links or {}

    def lead(text: str) -> Lead | None:
        return Lead(known.get(text[2:-2])) if text.startswith("[[") and text.endswith("]]") else None

    return Subject(
        properties or {},
        tuple(Observation(category, said, (), None, line) for line, (category, said) in enumerate(facts, 1)),
        tuple(Relation(kind, target, None, line) for line, (kind, target) in enumerate(relations.items(), 50)),
        lead,
    )
