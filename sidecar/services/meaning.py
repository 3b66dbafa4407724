"""What search by meaning may embed: the texts that agents may see, and no others."""

from collections.abc import Collection, Mapping

from sidecar.errors import SidecarError
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.services.caller import Audience
from sidecar.services.views import Views
from sidecar.vault.files import VaultFiles

__all__ = ["AgentTexts"]

_EMBEDDED = frozenset({FileKind.NOTE, FileKind.CANVAS})


class AgentTexts:
    """Notes and canvases as the newest view of an agent has them."""

    def __init__(self, views: Views, files: VaultFiles) -> None:
        self._views = views
        self._files = files

    def states(self, paths: Collection[VaultPath] | None = None) -> Mapping[VaultPath, str]:
        """Return the hash of each of these files, or of all of them, newest first.

        Raises:
            Invalid: when nobody can tell what agents may see, since ``.mcpignore`` is malformed.
            Unavailable: when it cannot be read.

        """
        view = self._views.newest(Audience.AGENT)
        if paths is None:
            newest = sorted(view.files(), key=lambda found: -found[1].mtime_ns)
            return {path: state.hash for path, state in newest if state.hash and kind_of(path) in _EMBEDDED}
        known = ((path, view.state(path)) for path in paths if kind_of(path) in _EMBEDDED)
        return {path: state.hash for path, state in known if state and state.hash}

    def read(self, path: VaultPath) -> bytes | None:
        """Return a file's bytes, or ``None`` when it cannot be read just now."""
        try:
            return self._files.read(path)
        except SidecarError:
            return None
