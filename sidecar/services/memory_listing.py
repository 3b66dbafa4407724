"""A folder of memories, as the Claude API's memory tool lists it."""

from collections.abc import Iterator

from sidecar.model.path import VaultPath
from sidecar.services.memory_input import Named
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["listing"]

_LEVELS = 2
_LEFT_OUT = "node_modules"
_KILO = 1024


def listing(view: View, files: VaultFiles, named: Named) -> str:
    """List files and folders with their sizes, two levels deep, by name; of a folder the size of all that is in it."""
    sizes: dict[str, int] = {f"{folder}/": 0 for folder in _folders(view, files, named.path)}
    total = 0
    for path, state in view.files():
        if not path.is_under(named.path):
            continue
        parts = path[len(named.path) + 1 :].split("/")
        if _LEFT_OUT in parts:
            continue
        total += state.size
        for depth in range(1, min(len(parts), _LEVELS) + 1):
            name = "/".join(parts[:depth]) + ("/" if depth < len(parts) else "")
            sizes[name] = sizes.get(name, 0) + state.size
    lines = [f"{_size(total)}\t{named.said}"]
    lines += [f"{_size(size)}\t{named.said}/{name}" for name, size in sorted(sizes.items())]
    head = f"Here're the files and directories up to {_LEVELS} levels deep in {named.said}"
    return f"{head}, excluding hidden items and {_LEFT_OUT}:\n" + "\n".join(lines)


def _folders(view: View, files: VaultFiles, folder: VaultPath) -> Iterator[str]:
    """Go through the folders, also those without a file in them."""
    for path in files.folders():
        if path.is_under(folder) and view.sees_folder(path):
            name = path[len(folder) + 1 :]
            if name.count("/") < _LEVELS and _LEFT_OUT not in name.split("/"):
                yield name


def _size(size: int) -> str:
    """Write a size as people read it: ``14B``, ``4K``, ``1.5K``."""
    amount, units = float(size), ["B", "K", "M", "G"]
    while amount >= _KILO and len(units) > 1:
        amount /= _KILO
        units.pop(0)
    return f"{amount:.1f}".removesuffix(".0") + units[0]
