"""The sections of a note and how one is named (contract B16, B23; cases C06-C08)."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from sidecar.errors import Ambiguous, Invalid, NotFound
from sidecar.model.note import Heading
from sidecar.parse.markdown import rendered_text
from sidecar.parse.scanner import headings_of

__all__ = ["Section", "SectionNotFound", "compared_heading", "find_section", "read_name", "same_heading", "sections_of"]

_LEVELLED = re.compile(r"(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?", re.DOTALL)
_NOT_COMPARED = re.compile(r"""[!"#$%&()*+,.:;<=>?@^`{|}~/\[\]\\\s]+""")
_MAX_LISTED = 20


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it."""

    heading: Heading
    path: tuple[str, ...]
    """The headings above it and its own, raw."""
    own_end: int
    """Where its first subsection begins."""
    end: int
    """Where the next section of its level or above begins."""

    def __str__(self) -> str:
        return f"{' › '.join(self.path)} (line {self.heading.line})"


class SectionNotFound(NotFound):
    """No heading has this name; ``near`` lists those that look like it, ``candidates`` the same or else all."""

    def __init__(self, wanted: str, near: Sequence[Section], known: Sequence[Section]) -> None:
        listed = near or known[:_MAX_LISTED]
        super().__init__(
            f"The note has no heading '{wanted}'." if known else f"The note has no headings, so none '{wanted}'.",
            hint="Name one of its headings." if known else "Append the text to the note instead.",
            candidates=[str(section) for section in listed],
        )
        self.near = tuple(near)


def sections_of(text: str) -> tuple[Section, ...]:
    """Return all sections of a note in order."""
    headings = headings_of(text)
    ends = [len(text)] * len(headings)
    paths: list[tuple[str, ...]] = []
    above: list[int] = []
    for index, heading in enumerate(headings):
        while above and headings[above[-1]].level >= heading.level:
            ends[above.pop()] = heading.start
        paths.append((*(headings[parent].text for parent in above), heading.text))
        above.append(index)
    own_ends = [*(heading.start for heading in headings[1:]), len(text)]
    return tuple(map(Section, headings, paths, own_ends, ends))


def read_name(wanted: str) -> tuple[int | None, str]:
    """Split a heading's name into the level that leading ``#`` ask for, and its text."""
    found = _LEVELLED.fullmatch(wanted.strip())
    return (len(found[1]), found[2] or "") if found else (None, wanted.strip())


def find_section(text: str, wanted: str | Sequence[str]) -> Section:
    """Find the one section that is meant (contract B23, cases C06, C07).

    A name is a heading's raw or rendered text, with or without ``##`` in front, or a path of such: ``A › B``,
    ``A/B``, or a list. Raw text wins over rendered, that over other case, and that over Obsidian's own comparison.

    Raises:
        SectionNotFound: with the nearest headings.
        Ambiguous: with the path and line of each section of that name.
        Invalid: when the name is empty.

    """
    readings = list(_readings(wanted))
    sections = sections_of(text)
    for is_meant in (str.__eq__, _is_shown, same_heading, _is_same_to_obsidian):
        for names in readings:
            found = [section for section in sections if _matches(section, names, is_meant)]
            if len(found) > 1:
                raise Ambiguous(
                    f"The note has {len(found)} sections '{' › '.join(names)}'.",
                    hint="Name one by its path, for example as its headings with ' › ' between them.",
                    candidates=[str(section) for section in found],
                    data={"lines": [section.heading.line for section in found]},
                )
            if found:
                return found[0]
    name = wanted if isinstance(wanted, str) else " › ".join(wanted)
    raise SectionNotFound(name, _near({names[-1] for names in readings}, sections), sections)


def _readings(wanted: str | Sequence[str]) -> Iterator[tuple[str, ...]]:
    if not isinstance(wanted, str):
        names = tuple(wanted)
        if not names or not all(read_name(name)[1] for name in names):
            raise Invalid("The section has no name.", hint="Give the text of a heading.")
        yield names
        return
    if not read_name(wanted)[1]:
        raise Invalid("The section has no name.", hint="Give the text of a heading.")
    yield (wanted,)
    for separator in ("›", "/"):
        parts = tuple(part.strip() for part in wanted.split(separator))
        if len(parts) > 1 and all(read_name(part)[1] for part in parts):
            yield parts


def _matches(section: Section, names: Sequence[str], is_meant: Callable[[str, str], bool]) -> bool:
    level, name = read_name(names[-1])
    if level not in (None, section.heading.level) or not is_meant(section.path[-1], name):
        return False
    # The headings above must be met in order; some may be left out.
    parents = iter(section.path[:-1])
    return all(any(is_meant(parent, read_name(above)[1]) for parent in parents) for above in names[:-1])


def _is_shown(raw: str, name: str) -> bool:
    return rendered_text(raw) == name


def same_heading(raw: str, name: str) -> bool:
    """Tell whether ``name`` is a heading's raw or rendered text, in any case."""
    return name.lower() in (raw.lower(), rendered_text(raw).lower())


def _is_same_to_obsidian(raw: str, name: str) -> bool:
    plain = compared_heading(name)
    return bool(plain) and plain in (compared_heading(raw), compared_heading(rendered_text(raw)))


def compared_heading(text: str) -> str:
    """Return a heading's text, or its name in a link, in the form in which Obsidian compares the two (B23)."""
    return _NOT_COMPARED.sub(" ", text).strip().lower()


def _near(names: Collection[str], sections: Sequence[Section]) -> list[Section]:
    texts = [rendered_text(section.path[-1]).lower() for section in sections]
    close: set[str] = set()
    for name in names:
        wanted = read_name(name)[1].lower()
        close.update(get_close_matches(wanted, texts, n=_MAX_LISTED, cutoff=0.6))
        close.update(text for text in texts if _begin_alike(compared_heading(wanted), compared_heading(text)))
    return [section for section, text in zip(sections, texts, strict=True) if text in close]


def _begin_alike(left: str, right: str) -> bool:
    """Tell whether one begins with all words of the other: ``Open items`` may mean ``Open items #urgent``."""
    return bool(left and right) and (f"{left} ".startswith(f"{right} ") or f"{right} ".startswith(f"{left} "))
