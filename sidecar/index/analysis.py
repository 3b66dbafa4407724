"""Text to words: what is indexed, what a query looks for, and where a word stands in the original text."""

import re
import threading
import unicodedata
from collections.abc import Iterator
from itertools import pairwise

import Stemmer

__all__ = ["GAP", "STEM", "fold", "places", "search_terms", "spans", "stem", "tokens"]

GAP = "\x1e"
"""Stands between texts of one field, so that no phrase reaches from one into the next."""
STEM = "\x01"
"""First character of the terms that are stems; no word begins with it."""

_LONGEST = 64
_SHORTEST_STEMMED = 3

_ACCENTS = "\u0300-\u036f"
_POINTS = "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670"
"""Hebrew points and Arabic vowel signs, which writers put or leave out as they like, and the Arabic stretcher."""
_SOFT_HYPHEN = "\u00ad"
_MARKS = "".join(
    chr(code)
    for block in (range(0x0300, 0x1E00), range(0x20D0, 0x20F1), range(0x3099, 0x309B), range(0xA66F, 0xABEE))
    for code in block
    if unicodedata.category(chr(code)) in {"Mn", "Mc"}
)
_PICTURES = "\u2600-\u27bf\U0001f300-\U0001faff"
_ALONE = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecd\u1000-\u109f\u1780-\u17d3"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3041-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff" + _PICTURES  # Han, Hangul
)
"""Characters of scripts that are searched inside a run (S4): each is a word of its own."""

_DROPPED = re.compile(f"[{_ACCENTS}{_POINTS}{_SOFT_HYPHEN}]")
_TO_WORDS = {code: chr(code).lower() if chr(code).isalnum() else " " for code in range(128)}
"""Leaves of an ASCII text its folded words and white space: twice as fast as any pattern."""
_TO_RUNS = {code: "x" if chr(code).isalnum() or chr(code) in "+/=" else " " for code in range(128)}
_LONG_RUN = "x" * _LONGEST
_RUN = re.compile(rf"[\w{_MARKS}{_PICTURES}{_SOFT_HYPHEN}]+")
_PIECE = re.compile(rf"[{_ALONE}]|(?:[^\W_{_ALONE}]|[{_MARKS}])+")
_STANDS_ALONE = re.compile(f"[{_ALONE}]")
_CLUSTER = re.compile(rf".[{_MARKS}{_SOFT_HYPHEN}\uff9e\uff9f]*")

_DATA_URI = re.compile(r"""\bdata:[a-z]+/[\w.+-]+[^\s,]{0,99},[^\s)"'>\]]*""", re.IGNORECASE)
_DENSE = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{64,}")
_CHARS_PER_SLASH = 16
_REMEMBERED_CHUNK = 24


def fold(text: str) -> str:
    """Return text in the form in which words are compared: no case, accents, widths or points."""
    if text.isascii():
        return text.lower()
    plain = _DROPPED.sub("", unicodedata.normalize("NFKD", text)).casefold()
    return unicodedata.normalize("NFC", _DROPPED.sub("", unicodedata.normalize("NFKD", plain)))


def tokens(text: str) -> list[str]:
    """Return the words of a text in order; a character of an unspaced script is a word of its own."""
    return [word for run in _runs(text) for word in run]


def places(text: str) -> dict[str, list[int]]:
    """Return each word with its positions, and so each pair of neighbours in an unspaced script."""
    found: dict[str, list[int]] = {}
    position = 0
    for part in text.split(GAP):
        for stretch in (part,) if part.isascii() else _stretches(part):
            if stretch.isascii():
                words = _plain_words(stretch)
                for at, word in enumerate(words, position):
                    if word in found:
                        found[word].append(at)
                    else:
                        found[word] = [at]
                position += len(words)
                continue
            for run in _runs(stretch):
                for word in run:
                    if word in found:
                        found[word].append(position)
                    else:
                        found[word] = [position]
                    position += 1
                if len(run) > 1:
                    _add_neighbours(found, run, position - len(run))
        position += 1
    return found


def search_terms(text: str) -> tuple[str, ...]:
    """Return the terms a file must hold at consecutive positions to contain this text.

    Two neighbours of an unspaced script are one term at the position of the first: 系統図 is 系統, then 統図.
    """
    terms: list[str] = []
    runs = list(_runs(text))
    for number, run in enumerate(runs, 1):
        for i, word in enumerate(run):
            follows = i > 0 and _alone(run[i - 1]) and _alone(word)
            if i + 1 < len(run) and _alone(word) and _alone(run[i + 1]):
                terms.append(word + run[i + 1])
            elif not (follows and i + 1 == len(run) and number == len(runs)):
                terms.append(word)
    return tuple(terms)


def spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Go through the words of :func:`tokens` with the offsets in the text as it was given."""
    for match in _RUN.finditer(_without_data(text)):
        folded = fold(match[0])
        origins = _origins(match[0], folded)
        for piece in _PIECE.finditer(folded):
            if len(piece[0]) <= _LONGEST:
                start, end = origins[piece.start()][0], origins[piece.end() - 1][1]
                yield piece[0], match.start() + start, match.start() + end


def _origins(run: str, folded: str) -> list[tuple[int, int]]:
    """Return for each character of a folded run the part of the run it came from."""
    if len(folded) == len(run):
        return [(i, i + 1) for i in range(len(run))]
    parts = [(fold(cluster[0]), cluster.span()) for cluster in _CLUSTER.finditer(run)]
    if "".join(part for part, _ in parts) == folded:
        return [span for part, span in parts for _ in part]
    return [(0, len(run))] * len(folded)


def _stretches(text: str) -> Iterator[str]:
    """Cut a text between lines where ASCII begins or ends, which is done quickly; no word goes on in the next line."""
    plain: list[str] = []
    for line in text.split("\n"):
        if line.isascii():
            plain.append(line)
            continue
        yield "\n".join(plain)
        plain.clear()
        yield line
    yield "\n".join(plain)


def _plain_words(text: str) -> list[str]:
    """Return the words of an ASCII text."""
    if _LONG_RUN in text.translate(_TO_RUNS):
        words = _without_data(text).translate(_TO_WORDS).split()
        return [word for word in words if len(word) <= _LONGEST]
    if "data:" in text.lower():
        text = _without_data(text)
    return text.translate(_TO_WORDS).split()


def _runs(text: str) -> Iterator[tuple[str, ...]]:
    """Go through what stands together without a space or mark between, each as its words."""
    if text.isascii():
        yield from ((word,) for word in _plain_words(text))
        return
    for chunk in text.split():
        # A long one is a sentence in an unspaced script: it does not come twice, so it would only fill the memory.
        yield from _chunks[chunk] if len(chunk) <= _REMEMBERED_CHUNK else _runs_in(chunk)


def _runs_in(chunk: str) -> tuple[tuple[str, ...], ...]:
    if chunk.isascii():
        return tuple((word,) for word in _plain_words(chunk))
    return tuple(filter(None, map(_pieces, _RUN.findall(_without_data(chunk)))))


class _Chunks(dict[str, tuple[tuple[str, ...], ...]]):
    """Remembers what the pieces of a text between white space consist of; most of them come often."""

    _MOST = 1 << 15

    def __missing__(self, chunk: str) -> tuple[tuple[str, ...], ...]:
        if len(self) >= self._MOST:
            self.clear()
        runs = self[chunk] = _runs_in(chunk)
        return runs


_chunks = _Chunks()


def _pieces(run: str) -> tuple[str, ...]:
    return tuple(piece for piece in _PIECE.findall(fold(run)) if len(piece) <= _LONGEST)


def _alone(word: str) -> bool:
    return len(word) == 1 and not word.isascii() and _STANDS_ALONE.match(word) is not None


def _add_neighbours(found: dict[str, list[int]], run: tuple[str, ...], first: int) -> None:
    for i, (word, following) in enumerate(pairwise(run)):
        if _alone(word) and _alone(following):
            found.setdefault(word + following, []).append(first + i)


def _without_data(text: str) -> str:
    """Blank out embedded files, keeping all offsets."""
    if "data:" in text.lower():
        text = _DATA_URI.sub(lambda m: " " * len(m[0]), text)
    return _DENSE.sub(lambda m: " " * len(m[0]) if _is_encoded(m[0]) else m[0], text)


def _is_encoded(run: str) -> bool:
    mixed = any(c.isdigit() for c in run) and run.lower() != run != run.upper()
    return mixed and run.count("/") * _CHARS_PER_SLASH <= len(run)


class _PerThread(threading.local):
    """A stemmer object may be used by one thread only."""

    def __init__(self) -> None:
        self.english = Stemmer.Stemmer("english", 0)


class _Stems(dict[str, str]):
    """Remembers stems: an index asks for the same few thousand words again and again."""

    _MOST = 1 << 17

    def __init__(self) -> None:
        self._per_thread = _PerThread()

    def __missing__(self, word: str) -> str:
        if len(self) >= self._MOST:
            self.clear()
        root: str = word
        if len(word) >= _SHORTEST_STEMMED and word.isascii() and word.isalpha():
            root = self._per_thread.english.stemWord(word)
        self[word] = root
        return root


_stems = _Stems()
stem = _stems.__getitem__
"""Return the stem of a folded word; words that are not plain letters are their own stems."""
