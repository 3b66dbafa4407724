"""A schema from how notes of one type are written: which fields there are, how often, and of what type."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain

from sidecar.picoschema.check import fits
from sidecar.picoschema.grammar import Choice, Field, FieldType, Group, LinkTo, Scalar, Schema, is_name, text_of
from sidecar.picoschema.names import name_key
from sidecar.picoschema.subject import Lead, Said, Source, Subject, Told, told_by, told_in

__all__ = ["NO_FIELDS", "FieldUse", "Inference", "infer"]

REQUIRED = 0.95
"""From this share of the notes on a field is suggested as required."""
NO_FIELDS = frozenset(
    {"type", "title", "permalink", "tags", "aliases", "cssclasses", "cssclass", "schema", "private", "position"}
)
"""Properties that Obsidian and the tools give a meaning of their own."""
_SAMPLES, _SAMPLE_LENGTH = 3, 60
_MOST_CHOICES, _LEAST_USES, _LONGEST_CHOICE = 6, 4, 40


@dataclass(frozen=True, slots=True)
class FieldUse:
    """How a field is used: by ``count`` of ``total`` notes, with these values, best described as ``field``."""

    field: Field
    sources: tuple[Source, ...]
    count: int
    total: int
    several: int
    """Notes that have more than one value, or a list."""
    samples: tuple[str, ...]

    @property
    def share(self) -> float:
        return self.count / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class Inference:
    """All fields in use, the commonest first, and the schema of those that are common enough."""

    uses: tuple[FieldUse, ...]
    schema: Schema


def infer(subjects: Sequence[Subject], threshold: float) -> Inference:
    """Describe how notes are written; fields in less than ``threshold`` (0 to 1) of them are not suggested."""
    notes = [{key: told for key, told in told_by(subject).items() if key not in NO_FIELDS} for subject in subjects]
    leads = [subject.lead for subject in subjects]
    uses = _uses(notes, leads, threshold)
    return Inference(uses, Schema(_suggested(uses, threshold)))


def _suggested(uses: Sequence[FieldUse], threshold: float) -> tuple[Field, ...]:
    return tuple(use.field for use in uses if use.share >= threshold and is_name(use.field.name))


def _uses(
    notes: Sequence[Mapping[str, Told]], leads: Sequence[Callable[[str], Lead | None]], threshold: float
) -> tuple[FieldUse, ...]:
    found: dict[str, list[tuple[Told, Callable[[str], Lead | None]]]] = {}
    for note, lead in zip(notes, leads, strict=True):
        for key, told in note.items():
            found.setdefault(key, []).append((told, lead))
    uses = [_use(holders, len(notes), threshold) for holders in found.values()]
    return tuple(sorted(uses, key=lambda use: (-use.count, name_key(use.field.name))))


def _use(holders: Sequence[tuple[Told, Callable[[str], Lead | None]]], total: int, threshold: float) -> FieldUse:
    name = Counter(told.name.strip() for told, _ in holders).most_common(1)[0][0]
    several = sum(told.listed or len(told.values) > 1 for told, _ in holders)
    values = [said for told, _ in holders for said in told.values]
    led = [lead(said.value) if isinstance(said.value, str) else None for told, lead in holders for said in told.values]
    field = Field(
        name=name,
        type=_type(values, led, [lead for told, lead in holders for _ in told.values], threshold),
        required=len(holders) >= REQUIRED * total,
        many=bool(several),
    )
    texts = Counter(" ".join(text_of(said.value).split())[:_SAMPLE_LENGTH] for said in values)
    return FieldUse(
        field=field,
        sources=tuple(source for source in Source if any(said.source is source for said in values)),
        count=len(holders),
        total=total,
        several=several,
        samples=tuple(text for text, _ in texts.most_common(_SAMPLES)),
    )


def _type(
    values: Sequence[Said],
    led: Sequence[Lead | None],
    leads: Sequence[Callable[[str], Lead | None]],
    threshold: float,
) -> FieldType:
    links = [lead for lead in led if lead is not None]
    if len(links) == len(values):
        return _link_type(links)
    groups = [said.value for said in values if isinstance(said.value, dict)]
    if len(groups) == len(values):
        fields = _suggested(_uses([told_in(group) for group in groups], leads, threshold), threshold)
        return Group(fields) if fields else Scalar.ANY
    for scalar in (Scalar.BOOLEAN, Scalar.INTEGER, Scalar.NUMBER):
        if all(fits(scalar, said) for said in values):
            return scalar
    if not all(fits(Scalar.STRING, said) for said in values):
        return Scalar.ANY
    return _choice([text_of(said.value) for said in values]) or Scalar.STRING


def _link_type(links: Sequence[Lead]) -> FieldType:
    """Return the type that all notes have which the links lead to, if there is one."""
    reached = [link.types for link in links if link.types is not None]
    common = set.intersection(*({*map(name_key, types)} for types in reached)) if reached else set()
    spellings = Counter(t for t in chain.from_iterable(reached) if name_key(t) in common)
    for note_type, _ in spellings.most_common():
        word = note_type.strip()
        capital = word[:1].upper() + word[1:]
        if capital[:1].isupper() and "," not in word and len(word.splitlines()) == 1:
            return LinkTo(capital)
    return Scalar.STRING


def _choice(texts: Sequence[str]) -> Choice | None:
    """Return the values to choose from when a few texts come again and again."""
    distinct = Counter(texts)
    is_few = 1 < len(distinct) <= _MOST_CHOICES and len(texts) >= max(_LEAST_USES, 2 * len(distinct))
    are_words = all(0 < len(text) <= _LONGEST_CHOICE and not _is_date(text) for text in distinct)
    return Choice(tuple(sorted(distinct))) if is_few and are_words else None


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text[:10])
    except ValueError:
        return False
    return True
