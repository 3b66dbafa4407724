"""The vectors of a vault on disk: segments and a table of contents. Derived, and thrown away when anything is odd."""

import contextlib
import json
import logging
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sidecar.model.path import VaultPath
from sidecar.semantic.segment import Embedded, Segment

__all__ = ["Part", "Store"]

_log = logging.getLogger(__name__)

_FORM = "1"
_CONTENTS = "contents.json"
_SUFFIX = ".vectors"
_PRIVATE_FOLDER = 0o700
_MOST_SEGMENTS = 8


@dataclass(frozen=True, slots=True)
class Part:
    """A segment, and the numbers of its files that have been replaced or are gone."""

    segment: Segment
    dead: frozenset[int] = frozenset()

    @property
    def rows(self) -> int:
        """How many passages it has of living files."""
        return len(self.segment.vectors) - self.dead_rows

    @property
    def dead_rows(self) -> int:
        return sum(self.segment.rows(number) for number in self.dead)

    def living(self) -> Iterator[int]:
        """Go through the numbers of the files that are not dead."""
        return (number for number in range(len(self.segment)) if number not in self.dead)


class Store:
    """Keeps what is embedded. One thread changes it; any may read ``parts``, which is one state for good."""

    def __init__(self, folder: Path, form: str, dimensions: int) -> None:
        """Open what is there in this form; everything else in the folder is removed.

        Raises:
            OSError: when the folder cannot be made.

        """
        self._folder = folder
        self._form = f"{_FORM} {form} {dimensions}"
        self._dimensions = dimensions
        self._places: dict[VaultPath, tuple[Segment, int]] = {}
        self._keys: dict[str, tuple[Segment, int]] = {}
        self._dead: dict[Segment, set[int]] = {}
        """All segments, oldest first, and which of their files are replaced or gone."""
        self._forgotten: set[Segment] = set()
        """Those that say something which is to be found nowhere any more."""
        folder.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)
        for segment in self._opened():
            self._enter(segment)
        self._next = 1 + max((int(segment.file.stem) for segment in self._dead), default=0)
        self._parts = self._marked()
        self._remove_others()

    @property
    def parts(self) -> tuple[Part, ...]:
        """All there is to search in."""
        return self._parts

    def __contains__(self, path: VaultPath) -> bool:
        return path in self._places

    def paths(self) -> frozenset[VaultPath]:
        """Return the files that are embedded."""
        return frozenset(self._places)

    def key_of(self, path: VaultPath) -> str | None:
        """Return what state of a file is embedded."""
        segment, number = self._places.get(path, (None, 0))
        return segment.keys[number] if segment else None

    def borrowed(self, key: str, path: VaultPath) -> Embedded | None:
        """Return for ``path`` what is embedded of another file that says the same under the same name."""
        segment, number = self._keys.get(key, (None, 0))
        return segment.entry(number, path) if segment else None

    def add(self, entries: Sequence[Embedded]) -> None:
        """Keep these files, instead of what there was of them.

        Raises:
            OSError: when the disk refuses; nothing has changed then.

        """
        if entries:
            self._replace([], self._written(entries))

    def forget(self, paths: Collection[VaultPath]) -> None:
        """Find these files no more; :meth:`tidy` takes what they said off the disk."""
        for path in paths:
            self._forgotten.update(segment for segment in self._dead if path in segment.numbers)
            if place := self._places.pop(path, None):
                self._dead[place[0]].add(place[1])
        self._parts = self._marked()

    def tidy(self) -> bool:
        """Write segments anew of which much is dead or something forgotten, and join small ones; tell if it did.

        Raises:
            OSError: when the disk refuses; nothing has changed then.

        """
        chosen = [part for part in self._parts if self._is_stale(part)] or self._small()
        if not chosen:
            return False
        living = [part.segment.entry(number) for part in chosen for number in part.living()]
        self._replace([part.segment for part in chosen], self._written(living) if living else None)
        return True

    def _is_stale(self, part: Part) -> bool:
        return part.segment in self._forgotten or part.dead_rows > part.rows or len(part.dead) == len(part.segment)

    def _small(self) -> list[Part]:
        """Return the smallest segments when there are many, but none that is much larger than those before it."""
        ordered = sorted(self._parts, key=lambda part: part.rows)
        if len(ordered) <= _MOST_SEGMENTS:
            return []
        chosen = ordered[:2]
        for part in ordered[2:]:
            if part.rows > 2 * sum(small.rows for small in chosen):
                break
            chosen.append(part)
        return chosen

    def _written(self, entries: Sequence[Embedded]) -> Segment:
        file = self._folder / f"{self._next:08d}{_SUFFIX}"
        self._next += 1
        try:
            return Segment.write(file, entries, self._dimensions)
        except OSError:
            _remove(file)
            raise

    def _replace(self, olds: Sequence[Segment], fresh: Segment | None) -> None:
        segments = [segment for segment in self._dead if segment not in olds]
        segments += [fresh] if fresh else []
        try:
            self._write_contents(segments)
        except OSError:
            if fresh:
                _remove(fresh.file)
            raise
        if fresh:
            self._enter(fresh)
        for old in olds:
            self._leave(old)
        self._parts = self._marked()
        for old in olds:
            _remove(old.file)

    def _enter(self, segment: Segment) -> None:
        self._dead[segment] = set()
        for number, (path, key) in enumerate(zip(segment.paths, segment.keys, strict=True)):
            before = self._places.get(path)
            if before:
                self._dead[before[0]].add(before[1])
            self._places[path] = self._keys[key] = (segment, number)

    def _leave(self, segment: Segment) -> None:
        del self._dead[segment]
        self._forgotten.discard(segment)
        for key in segment.keys:
            if key in self._keys and self._keys[key][0] is segment:
                del self._keys[key]

    def _marked(self) -> tuple[Part, ...]:
        return tuple(Part(segment, frozenset(dead)) for segment, dead in self._dead.items())

    def _opened(self) -> Iterator[Segment]:
        try:
            contents = json.loads((self._folder / _CONTENTS).read_bytes())
            listed = [(str(name), int(checksum)) for name, checksum in contents["segments"]]
            if contents["form"] != self._form:
                return
        except (OSError, ValueError, KeyError, TypeError):
            return
        for name, checksum in listed:
            try:
                segment = Segment.open(self._folder / name, self._dimensions)
            except (OSError, ValueError, TypeError, LookupError, OverflowError) as error:
                _log.warning("Vectors are made again: %s.", type(error).__name__)
                continue
            if segment.checksum == checksum:
                yield segment

    def _write_contents(self, segments: Sequence[Segment]) -> None:
        # Not synced: what a power failure leaves half written has another checksum and is made again.
        listed = [[segment.file.name, segment.checksum] for segment in segments]
        fresh = self._folder / f"{_CONTENTS}.new"
        fresh.write_text(json.dumps({"form": self._form, "segments": listed}), "utf-8")
        fresh.replace(self._folder / _CONTENTS)

    def _remove_others(self) -> None:
        kept = {_CONTENTS, *(part.segment.file.name for part in self._parts)}
        for file in self._folder.iterdir():
            if file.name not in kept and (file.suffix == _SUFFIX or file.name.startswith(_CONTENTS)):
                _remove(file)


def _remove(file: Path) -> None:
    with contextlib.suppress(OSError):  # on Windows not while a search has it open; then at the next start
        file.unlink()
