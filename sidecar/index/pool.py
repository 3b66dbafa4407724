"""The terms of files in memory, until a segment is written of them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from sidecar.index.analysis import STEM, places, stem
from sidecar.index.fields import field_texts
from sidecar.index.postings import COUNTED, ONCE, encode_places, length_byte
from sidecar.index.segment_file import FIELD_NUMBERS, SegmentWriter
from sidecar.model.note import ParsedFile
from sidecar.model.path import VaultPath

__all__ = ["Pool"]

_Entries: TypeAlias = list[Any]  # a class for each posting would take three times the memory
"""The postings of one term: the term of its stem if that is another word, so that it need not be looked up again; then
a file's number, how often, where; then the next file's. Three lists would take twice the memory and time, since most
terms stand in one file."""

_BYTES_PER_TERM = 250
_BYTES_PER_POSTING = 45


class Pool:
    """Collects files; each gets the next number."""

    def __init__(self) -> None:
        self.paths: list[VaultPath] = []
        self.size = 0
        """About how many bytes of memory it takes."""
        self._terms: dict[str, dict[str, _Entries]] = {field: {} for field in FIELD_NUMBERS}
        self._texts: list[bytes | None] = []
        self._lengths: dict[str, bytearray] = {field: bytearray() for field in FIELD_NUMBERS}
        self._totals = dict.fromkeys(FIELD_NUMBERS, 0)

    @property
    def totals(self) -> Mapping[str, int]:
        """The number of words in each field, over all files."""
        return self._totals

    def add(self, file: ParsedFile) -> int:
        """Take the words and the text of a file and return its number."""
        number = len(self.paths)
        self.paths.append(file.path)
        whole = None if file.text is None else file.text.encode("utf-8", "replace")
        self._texts.append(whole)
        self.size += len(whole or b"")
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
            writer.finish(self.paths, self._texts)
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
                root = stem(word)
                entries = terms[word] = [None if root == word else STEM + root]
            entries += (number, count, value)
            stemmed = entries[0]
            if stemmed is not None:
                stems[stemmed] = stems.get(stemmed, 0) + count
        for stemmed, count in stems.items():
            # A phrase is of words, so nobody asks where a stem stands.
            value = COUNTED[min(count, len(COUNTED) - 1)]
            terms.setdefault(stemmed, [None]).extend((number, count, value))
        self.size += _BYTES_PER_POSTING * (len(found) + len(stems)) + _BYTES_PER_TERM * (len(terms) - known)
        return length


def _apart(entries: _Entries) -> tuple[list[int], list[int], list[bytes]]:
    return entries[1::3], entries[2::3], entries[3::3]
