"""Text that a plugin encrypted: whole notes, and parts of notes that are otherwise plain."""

import re

from sidecar.errors import Refused
from sidecar.parse.blank import blanked
from sidecar.parse.frontmatter import block_of

__all__ = ["Encrypted", "check_edit", "check_not_encrypted", "encrypted_parts", "is_encrypted"]

_LANGUAGES = ("encrypted", "age", "age-encrypted", "pgp", "gpg", "secret-lock", "ocke-v1")
_MARKS = ("\U0001f510", "-----BEGIN", '"encodedData"')
_FENCES = tuple(f"```{language}" for language in _LANGUAGES)
"""A text with neither a mark nor one of these holds nothing encrypted."""
_PARTS = re.compile(
    rf"""
    (?:%%)?\U0001f510[α-ω]?[ ](?:\U0001f4a1[^\U0001f4a1\n]*+\U0001f4a1)?[A-Za-z0-9+/=]{{16,}}+[ ]?\U0001f510(?:%%)?
    |^\{{[^{{}}"]*+(?:"\w++"\s*+:\s*+"[^"{{}}]*+"\s*+,\s*+)*?"encodedData"\s*+:\s*+"[\w+/=-]{{40,}}+"[^{{}}]*+\}}
    |^-----BEGIN[ ](?P<armour>PGP[ ]MESSAGE|AGE[ ]ENCRYPTED[ ]FILE)-----[ \t]*\r?\n
      (?:(?!-----)[^\n]*+\n)*+-----END[ ](?P=armour)-----
    |^`{{3,}}+(?:{"|".join(_LANGUAGES)})[ \t]*\r?\n
      (?:(?!```)[^\n]*+\n)*+`{{3,}}+[ \t]*+(?=\r?$)
    """,
    re.VERBOSE | re.MULTILINE,
)
"""Marks of Meld Encrypt in a note and the JSON it makes of a whole one, armoured messages, fences of other plugins."""


class Encrypted(Refused):
    """A change would touch what only its owner can read."""


def encrypted_parts(text: str) -> tuple[tuple[int, int], ...]:
    """Return start and end of each encrypted part of a text."""
    holds, tick = text.__contains__, text.find("`")  # one character is found many times faster than three
    has_fence = tick >= 0 and text.find("```", tick) >= 0
    if not any(map(holds, _MARKS)) and not (has_fence and any(map(holds, _FENCES))):
        return ()
    return tuple(found.span() for found in _PARTS.finditer(text))


def is_encrypted(text: str) -> bool:
    """Tell whether the body of a note is encrypted and nothing else; its properties may be plain."""
    parts = encrypted_parts(text)
    if not parts:
        return False
    block = block_of(text)
    return not blanked(text, parts)[block.end if block else 0 :].strip()


def check_not_encrypted(path: str, text: str) -> None:
    """Check that a note can be edited at all.

    Raises:
        Encrypted: when its whole body is encrypted.

    """
    if is_encrypted(text):
        raise Encrypted(
            f"'{path}' is encrypted, so it is never edited.",
            hint="Ask the user to decrypt it in Obsidian first; until then it is left as it is.",
            data={"path": path},
        )


def check_edit(path: str, before: str, after: str) -> None:
    """Check that a change of a note leaves what is encrypted in it alone.

    Raises:
        Encrypted: when its whole body is, or when a part that is would be altered, moved or dropped.

    """
    check_not_encrypted(path, before)
    kept = [before[start:end] for start, end in encrypted_parts(before)]
    if kept and kept != [part for start, end in encrypted_parts(after) if (part := after[start:end]) in kept]:
        raise Encrypted(
            f"The change would touch an encrypted part of '{path}'.",
            hint="Change the text around it only, with edit_note.",
            data={"path": path},
        )
