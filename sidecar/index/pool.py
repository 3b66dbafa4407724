"""The terms of files in memory, until a segment is written of them."""

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

from sidecar.index.analysis import STEM, places, stem
from sidecar.index.fields import field_texts
from sidecar.index.postings import COUNTED, ONCE, encode_places, length_byte
from sidecar.index.segment_file import FIELD_NUMBERS, SegmentWriter
from sidecar.model.note import ParsedFile
from sidecar.model.path import VaultPath

__all__ = ["Pool"]

_Entries: TypeAlias = list[int | bytes]
"""The postings of one term: a file's number, how often, where; then the next file's. Three lists would take twice the
memory and time, since most terms stand in one file."""

_BYTES_PER_TERM = 250
_BYTES_PER_POSTING = 45


class Pool:
    """Collects files; each gets the next number."""

    def __init__(self) -> None:
        self.paths: list[VaultPath] = []
        self.size = 0
        """About how many bytes of memory it takes."""
        self._terms: dict[str, dict[str, _Entries]] = {field: {} for field in FIELD_NUMBERS}
        self._lengths: dict[str, bytearray] = {field: bytearray() for field in FIELD_NUMBERS}
        self._totals = dict.fromkeys(FIELD_NUMBERS, 0)

    @property
    def totals(self) -> Mapping[str, int]:
        """The number of words in each field, over all files."""
        return self._totals

    def add(self, file: ParsedFile) -> int:
        """Take the words of a file and return its number."""
        number = len(self.paths)
        self.paths.append(file.path)
        texts = field_texts(file)
        for field, lengths in self._lengths.items():
            text = texts.get(field)
            length = self._add(self._terms[field], number, places(text)) if text else 0
            lengths.append(length_byte(length))
            self._totals[field] += length
        return number

    def write(self, folder: Path, segment: str) -> None:
        """Write everything as a segment; the pool stays as it is.

        Raises:
            OSError: when the disk refuses; nothing is left behind then.

        """
        writer = SegmentWriter(folder, segment, {field: bytes(column) for field, column in self._lengths.items()})
        try:
            for field, terms in self._terms.items():
                for term in sorted(terms):
                    writer.add(field, term.encode(), *_apart(terms[term]))
            writer.finish(self.paths)
        finally:
            writer.close()

    def _add(self, terms: dict[str, _Entries], number: int, found: Mapping[str, list[int]]) -> int:
        stems: dict[str, int] = {}
        length = 0
        known, once = len(terms), len(ONCE)
        for word, where in found.items():
            count = len(where)
            length += count
            value = ONCE[where[0]] if count == 1 and where[0] < once else encode_places(where)
            entries = terms.get(word)
            if entries is None:
                terms[word] = [number, count, value]
            else:
                entries += (number, count, value)
            root = stem(word)
            if root != word:
                stems[root] = stems.get(root, 0) + count
        for root, count in stems.items():
            # A phrase is of words, so nobody asks where a stem stands.
            value = COUNTED[min(count, len(COUNTED) - 1)]
            terms.setdefault(STEM + root, []).extend((number, count, value))
        self.size += _BYTES_PER_POSTING * (len(found) + len(stems)) + _BYTES_PER_TERM * (len(terms) - known)
        return length


def _apart(entries: _Entries) -> tuple[list[int], list[int], list[bytes]]:
    return entries[::3], entries[1::3], entries[2::3]  # type: ignore[return-value]  # the list's own rule
