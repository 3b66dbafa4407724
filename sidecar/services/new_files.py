"""Where the file of a link that leads nowhere would come to be."""

from sidecar.catalog.resolve import path_for_unresolved
from sidecar.errors import Refused
from sidecar.model.path import VaultPath
from sidecar.vault.obsidian_settings import NewFileLocation, ObsidianSettings

__all__ = ["path_of_new_file"]


def path_of_new_file(settings: ObsidianSettings, linkpath: str, source: VaultPath) -> VaultPath | None:
    """Return the file that Obsidian would make when somebody follows the link (R17).

    ``None`` for a link that can have no file: it leads out of the vault, or to a name that Obsidian hides.
    """
    try:
        return path_for_unresolved(linkpath, source, _folder(settings, source))
    except Refused:
        return None


def _folder(settings: ObsidianSettings, source: VaultPath) -> VaultPath:
    match settings.new_file_location:
        case NewFileLocation.CURRENT:
            return source.folder
        case NewFileLocation.FOLDER:
            return VaultPath.of(settings.new_file_folder)
        case _:
            return VaultPath("")
