"""What may become a project: names, folders, and what agents may not register."""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from sidecar.errors import Invalid, Refused, Unavailable

__all__ = ["check_for_agents", "check_not_inside_a_vault", "folder_of", "make_folder", "name_of"]

_LONGEST = 100
_BAD = re.compile(r"[/\\\x00-\x1f\x7f]")
_SYSTEM = ("/bin", "/boot", "/dev", "/etc", "/lib", "/proc", "/run", "/sbin", "/sys", "/usr", "/var/lib", "/System")


def name_of(text: str, what: str) -> str:
    """Return the name of a project or workspace.

    Raises:
        Invalid: when it is empty or too long, or cannot stand in ``workspace/project``.

    """
    name = " ".join(text.split())
    if not name or len(name) > _LONGEST or _BAD.search(name):
        raise Invalid(
            f"'{text}' cannot be the name of a {what}.",
            hint=f"Use 1 to {_LONGEST} characters without slashes.",
        )
    return name


def folder_of(text: str) -> Path:
    """Return the folder that an absolute path names; ``~`` is the user's home.

    Raises:
        Invalid: when it is relative: whose working directory would be meant?

    """
    try:
        path = Path(text.strip()).expanduser()
    except RuntimeError:
        path = Path()
    if not path.is_absolute() or "\0" in text:
        raise Invalid(
            f"'{text}' is not an absolute path.", hint="Give the whole path, such as /home/me/Notes or ~/Notes."
        )
    return path.resolve()


def check_for_agents(folder: Path, ours: Path) -> None:
    """Check that an agent may make this folder a project: all that is in one can be read by agents.

    Raises:
        Refused: for a disk, a home, hidden folders, folders of the system, and our own state at ``ours``.

    """
    home = Path.home().resolve()
    system = [Path(place) for place in _SYSTEM] if sys.platform != "win32" else [Path("C:/Windows")]
    private = ours.resolve()
    if (
        home.is_relative_to(folder)
        or any(part.startswith(".") for part in folder.parts)
        or any(folder.is_relative_to(place) for place in system)
        or folder.is_relative_to(private)
        or private.is_relative_to(folder)
    ):
        raise Refused(
            f"An agent may not make '{folder}' a project: agents can read whatever is in one.",
            hint="Choose a folder of notes. The user can add any folder: vault-sidecar project add FOLDER.",
        )


def check_not_inside_a_vault(folder: Path, known: Iterable[str]) -> None:
    """Check that no folder above is a vault of Obsidian's that is no project.

    Raises:
        Invalid: naming the vault.

    """
    others = {Path(path) for path in known}
    for above in folder.parents:
        if above not in others and (above / ".obsidian").is_dir():
            raise Invalid(
                f"'{folder}' lies inside the vault '{above}'.",
                hint="Add the vault itself. Set allow_nested = true in config.toml if you want the folder alone.",
            )


def make_folder(folder: Path) -> bool:
    """Make a folder that is not there, and tell whether it had to be made.

    Raises:
        Invalid: when a file has its name.
        Unavailable: when it cannot be made.

    """
    if folder.is_dir():
        return False
    try:
        folder.mkdir(parents=True)
    except FileExistsError:
        raise Invalid(f"'{folder}' is a file.", hint="Give the path of a folder.") from None
    except OSError as error:
        raise Unavailable(f"The folder '{folder}' cannot be made: {error.strerror}.") from error
    return True
