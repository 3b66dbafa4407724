"""The forms in which names of fields and types of notes compare."""

import re
import unicodedata

__all__ = ["name_key"]

_BETWEEN = re.compile(r"[\s_-]+")


def name_key(text: str) -> str:
    """Return what is equal for ``Works at``, ``works_at`` and ``works-at``."""
    return _BETWEEN.sub("_", unicodedata.normalize("NFC", text).strip().lower()).strip("_")
