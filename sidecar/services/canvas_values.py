"""What a note says of itself that a map can show: the value it is grouped or coloured by, its date, its size."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from typing import Final

from sidecar.canvas.colors import COLOR_NAMES
from sidecar.canvas.layout.geometry import Size
from sidecar.errors import Invalid
from sidecar.model.note import Json
from sidecar.model.path import VaultPath
from sidecar.services.views import View

__all__ = ["assigned_colors", "card_size", "day_in", "legend_of", "moments_of", "value_words", "values_by"]

_LONGEST: Final = 60
_LINK = re.compile(r"^\[\[(?:[^\]|]*\|)?([^\]|]*)\]\]$")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_DATES: Final = ("date", "start", "due", "scheduled", "created")
_SIZES: Final[Mapping[int, Size]] = MappingProxyType({300: Size(280, 140), 2_000: Size(320, 220)})
_LARGE: Final = Size(400, 280)
_ROOT: Final = "vault"
"""What the folder is called that has no name."""


def values_by(
    view: View, paths: Sequence[VaultPath], by: str | None, without: Sequence[str] = ()
) -> dict[VaultPath, str]:
    """Return the value of each note that has one: its folder, its most common tag, or the first of a property.

    Tags of ``without`` say nothing, since all notes have them.

    Raises:
        Invalid: when ``by`` names nothing.

    """
    if by is None:
        return {}
    head, _, rest = by.strip().partition(":")
    kind = head.strip().lower()
    if kind == "folder":
        return {path: path.folder.name or _ROOT for path in paths}
    if kind in ("tag", "tags"):
        return _by_tag(view, paths, {tag.lower().lstrip("#") for tag in without})
    name = rest.strip() if kind == "property" else by.strip()
    if not name:
        raise Invalid(f"'{by}' is no property.", hint="Give folder, tag, or property:name.")
    wanted, found = set(paths), {}
    for path, value in view.property_values(name):
        first = next(value_words(value), None)
        if path in wanted and first is not None:
            found[path] = first
    return found


def _by_tag(view: View, paths: Sequence[VaultPath], without: set[str]) -> dict[VaultPath, str]:
    tags = {}
    for path in paths:
        note = view.note(path)
        names = dict.fromkeys(tag.name.lower() for tag in (note.tags if note else ()))
        tags[path] = [name for name in names if name not in without]
    counts = Counter(name for names in tags.values() for name in names)
    return {path: f"#{min(names, key=lambda one: (-counts[one], one))}" for path, names in tags.items() if names}


def value_words(value: Json) -> Iterator[str]:
    """Go through a property's values in words; links are their text."""
    if isinstance(value, list):
        for one in value:
            yield from value_words(one)
    elif isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, str | int | float):
        text = " ".join(str(value).split())
        link = _LINK.match(text)
        if text:
            yield (link[1] if link else text)[:_LONGEST]


def assigned_colors(values: Mapping[VaultPath, str], known: Mapping[str, str]) -> dict[str, str]:
    """Return a colour of the six for each value, those ``known`` as before, else the most common values first."""
    counts = Counter(values.values())
    colors = {value: color for value, color in known.items() if value in counts and color in COLOR_NAMES}
    free = [color for color in COLOR_NAMES if color not in colors.values()]
    new = sorted((value for value in counts if value not in colors), key=lambda value: (-counts[value], value))
    return colors | dict(zip(new, free, strict=False))


def legend_of(by: str, values: Mapping[VaultPath, str], colors: Mapping[str, str]) -> str:
    """Return the text of the card that says what the colours mean."""
    name = by.strip().removeprefix("property:").strip()
    lines = [f"**Colours: {name}**"]
    lines += [f"- {COLOR_NAMES[color]}: {value}" for value, color in sorted(colors.items(), key=lambda item: item[1])]
    if others := sorted(set(values.values()) - colors.keys()):
        lines.append(f"- none: {', '.join(others)[:_LONGEST]}")
    return "\n".join(lines)


def moments_of(view: View, paths: Sequence[VaultPath]) -> dict[VaultPath, str]:
    """Return the day of each note that names one, among its properties or in its name."""
    found = {}
    for path, properties in view.properties_of(paths).items():
        said = {name.lower(): value for name, value in properties.items()}
        for text in (*(said.get(name) for name in _DATES), path.basename):
            day = day_in(text)
            if day is not None:
                found[path] = day
                break
    return found


def day_in(text: object) -> str | None:
    """Return the first day that a text names, such as ``2026-05-01``."""
    for found in _DATE.finditer(str(text or "")):
        try:
            return date.fromisoformat(found[0]).isoformat()
        except ValueError:
            continue
    return None


def card_size(view: View, path: VaultPath) -> Size:
    """Return the size of a note's card: larger for longer notes."""
    state = view.state(path)
    size = state.size if state else 0
    return next((shape for most, shape in _SIZES.items() if size <= most), _LARGE)
