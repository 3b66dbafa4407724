"""What is new in this program, from its own changelog."""

import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from sidecar import __version__
from sidecar.errors import Unavailable

__all__ = ["Release", "ReleaseNotes", "newest_releases", "read_release_notes"]

_FILE = "CHANGELOG.md"
_SHOWN = 3
_HEADING = re.compile(r"^## \[?([^\]\n]+?)\]?(?: - (\d{4}-\d\d-\d\d))?[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Release:
    """One section of the changelog; ``day`` is ``None`` for what is not released yet."""

    version: str
    day: str | None
    text: str


@dataclass(frozen=True, slots=True)
class ReleaseNotes:
    """The version that runs, and the newest releases, newest first."""

    version: str
    releases: tuple[Release, ...]


def read_release_notes() -> ReleaseNotes:
    """Return the newest sections of the changelog that came with this version.

    Raises:
        Unavailable: when it did not come with one.

    """
    package = Path(str(files("sidecar")))
    for place in (package / _FILE, package.parent / _FILE):
        if place.is_file():
            return ReleaseNotes(__version__, newest_releases(place.read_text("utf-8"), _SHOWN))
    raise Unavailable("The changelog is missing from this installation.", hint="Install Vault Sidecar again.")


def newest_releases(changelog: str, most: int) -> tuple[Release, ...]:
    """Return the first sections of a changelog that say anything."""
    headings = list(_HEADING.finditer(changelog))
    ends = (*(heading.start() for heading in headings[1:]), len(changelog))
    sections = (
        Release(heading[1].strip(), heading[2], changelog[heading.end() : end].strip())
        for heading, end in zip(headings, ends, strict=False)
    )
    return tuple(section for section in sections if section.text)[:most]
