"""Where many links of one moment lead; those that say the same are looked up once where that is the same."""

from sidecar.catalog.resolve import depends_on_source
from sidecar.catalog.snapshot import Snapshot
from sidecar.model.note import LinkKind
from sidecar.model.path import VaultPath

__all__ = ["Targets"]

_CARD = LinkKind.CANVAS_FILE.value


class Targets:
    """Finds targets in one snapshot; for a moment's work."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._known: dict[str, VaultPath | None] = {}

    def of(self, kind: str, linkpath: str, source: VaultPath) -> VaultPath | None:
        """Return where a link leads that stands in ``source``; ``kind`` is the value of a :class:`LinkKind`.

        The path of a canvas card is one from the root and nothing else.
        """
        text = f"/{linkpath}" if kind == _CARD and not linkpath.startswith("/") else linkpath
        if text in self._known:
            return self._known[text]
        target = self._snapshot.resolve(text, source).target
        if not self._depends_on_source(text):
            self._known[text] = target
        return target

    def _depends_on_source(self, text: str) -> bool:
        """Tell whether it may lead elsewhere from another note: it is relative, or several files bear its name."""
        if not text or depends_on_source(text) or not text.isascii():
            return True
        names, name = self._snapshot.names, text.rpartition("/")[2].lower()
        return len(names.get(name, ())) + len(names.get(f"{name}.md", ())) > 1
