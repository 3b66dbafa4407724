"""Files that the user took out of Obsidian's search: "Excluded files" in its settings (contract A13)."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from sidecar.model.path import VaultPath

__all__ = ["ExcludedFiles"]

_NAMED_GROUP = re.compile(r"(?<!\\)\(\?<(?![=!])")


@dataclass(frozen=True, slots=True)
class ExcludedFiles:
    """The filters: an entry between slashes is a regular expression on the path, any other the path's beginning."""

    beginnings: tuple[str, ...] = ()
    patterns: tuple[re.Pattern[str], ...] = ()
    _known: dict[VaultPath, bool] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, filters: Sequence[str]) -> "ExcludedFiles":
        """Read the filters; an expression that does not compile excludes nothing."""
        expressions = [text for text in filters if len(text) > 1 and text.startswith("/") and text.endswith("/")]
        beginnings = (text for text in filters if text not in expressions)
        normal = (unicodedata.normalize("NFC", text) for text in beginnings if text)
        return cls(tuple(normal), tuple(_compiled(text[1:-1] for text in expressions)))

    def __bool__(self) -> bool:
        return bool(self.beginnings or self.patterns)

    def among(self, paths: Iterable[VaultPath]) -> frozenset[VaultPath]:
        """Return those of the paths that are excluded."""
        if not self:
            return frozenset()
        known = self._known.get  # asked for each file of the vault after each change of it
        return frozenset([path for path in paths if (was if (was := known(path)) is not None else self._judge(path))])

    def _judge(self, path: VaultPath) -> bool:
        excluded = path.startswith(self.beginnings) or any(pattern.search(path) for pattern in self.patterns)
        self._known[path] = excluded
        return excluded


def _compiled(expressions: Iterable[str]) -> Iterable[re.Pattern[str]]:
    for expression in expressions:
        with suppress(re.error):
            yield re.compile(_NAMED_GROUP.sub("(?P<", expression), re.ASCII)
