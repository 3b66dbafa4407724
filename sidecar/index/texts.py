"""What the notes of the index say, kept beside their words: a search reads it instead of thousands of files."""

from collections.abc import Collection, Sequence
from functools import cached_property
from pathlib import Path

from sidecar.index.generation import Part
from sidecar.index.segment_file import SegmentReader
from sidecar.model.path import VaultPath

__all__ = ["IndexedTexts"]


class IndexedTexts:
    """The texts that one generation of the index holds; for one search, on one thread at a time."""

    def __init__(self, folder: Path, parts: Sequence[Part], but: Collection[VaultPath]) -> None:
        """Take the segments; nothing is opened before a text is asked for, and of the files ``but`` there is none."""
        self._but = but
        self._segments = [_SegmentTexts(folder, part) for part in parts]

    def of(self, path: VaultPath) -> bytes | None:
        """Return the text of a note in UTF-8, properties included and data for programs blanked out.

        ``None`` when the index does not have it: of what is no note, of a note that it knows by name alone, and where
        a merge took the segment away or it is damaged.
        """
        if path in self._but:
            return None
        for segment in self._segments:
            number = segment.numbers.get(path)
            if number is not None and number not in segment.deleted:
                return segment.text(number)
        return None

    def close(self) -> None:
        """Close all files; a text asked for afterwards opens them again."""
        for segment in self._segments:
            segment.close()


class _SegmentTexts:
    def __init__(self, folder: Path, part: Part) -> None:
        self.numbers = part.numbers
        self.deleted = part.segment.deleted
        self._folder = folder
        self._segment = part.segment

    def text(self, number: int) -> bytes | None:
        opened = self._opened
        if opened is None:
            return None
        reader, edges, has_text = opened
        try:
            return reader.text(edges[number], edges[number + 1]) if has_text[number] else None
        except (OSError, EOFError):
            return None

    def close(self) -> None:
        opened = self.__dict__.pop("_opened", None)
        if opened is not None:
            opened[0].close()

    @cached_property
    def _opened(self) -> tuple[SegmentReader, Sequence[int], bytes] | None:
        try:
            reader = SegmentReader(self._folder, self._segment.id)
        except Exception:  # noqa: BLE001 - of a damaged index almost anything comes; the files themselves are there
            return None
        try:
            return reader, *reader.text_edges(self._segment.count)
        except Exception:  # noqa: BLE001 - the same
            reader.close()
            return None
