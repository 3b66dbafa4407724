"""The permalink that a path stands for when its note names none; computed, never written."""

import re
import unicodedata

from sidecar.model.path import VaultPath

__all__ = ["permalink_of"]

_LATIN = str.maketrans(
    {
        "ß": "ss",
        "æ": "ae",
        "Æ": "AE",
        "œ": "oe",
        "Œ": "OE",
        "ø": "o",
        "Ø": "O",
        "đ": "d",
        "Đ": "D",
        "ð": "d",
        "Ð": "D",
        "ł": "l",
        "Ł": "L",
        "þ": "th",
        "Þ": "Th",
        "ı": "i",
        "’": "'",
        "‘": "'",
    },
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_HYPHENS = re.compile(r"-{2,}")
_KEPT = frozenset("abcdefghijklmnopqrstuvwxyz0123456789/-.")
_LETTER_CATEGORIES = frozenset("LMN")


def permalink_of(path: VaultPath) -> str:
    """Return the permalink of a path: lower case, hyphens between words, no Latin accents."""
    text = path.without_md
    if not text.isascii():
        text = "".join(map(_without_accent, unicodedata.normalize("NFC", text.translate(_LATIN))))
    text = _CAMEL.sub("-", text).lower().replace("'", "")
    text = "".join(c if c in _KEPT or _is_foreign_letter(c) else "-" for c in text)
    return "/".join(segment.strip("-") for segment in _HYPHENS.sub("-", text).split("/"))


def _without_accent(char: str) -> str:
    """Strip accents from Latin letters only: elsewhere marks are part of the letter (kana voicing, й)."""
    plain = unicodedata.normalize("NFKD", char)
    if not plain[0].isascii():
        return char
    return "".join(c for c in plain if not "\u0300" <= c <= "\u036f")


def _is_foreign_letter(char: str) -> bool:
    return not char.isascii() and unicodedata.category(char)[0] in _LETTER_CATEGORIES
