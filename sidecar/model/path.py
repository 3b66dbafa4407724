"""Paths inside a vault, as Obsidian writes them (contract A1-A3, F1-F6)."""

import re
import unicodedata

from sidecar.errors import Invalid, Refused

__all__ = ["VaultPath", "check_new_path", "file_name_from_title"]

_SLASHES = re.compile(r"[/\\]+")
_HARD_SPACES = {0x00A0: " ", 0x202F: " "}
_FORBIDDEN = re.compile(r'[*"\\/<>:|?\x00-\x1f\x7f]')
_LINK_BREAKING = re.compile(r"[#^\[\]]|%%")
_DEVICES = frozenset({"con", "prn", "aux", "nul", *(f"{d}{n}" for d in ("com", "lpt") for n in range(1, 10))})
_MAX_NAME_BYTES = 255
_MAX_PATH_CHARS = 259


class VaultPath(str):
    """A vault-relative path: NFC, ``/``-separated, no slash at either end; ``""`` is the vault's root.

    The constructor trusts its argument; use :meth:`of` for text from outside.
    """

    __slots__ = ()

    @classmethod
    def of(cls, text: str) -> "VaultPath":
        """Normalise as Obsidian does (A2) and refuse what leaves the vault or is invisible to Obsidian (A3).

        Raises:
            Refused: for ``..`` segments, and for names that start with a dot.

        """
        path = cls(unicodedata.normalize("NFC", _SLASHES.sub("/", text.translate(_HARD_SPACES)).strip("/")))
        if path.startswith("./"):
            path = cls(path[2:])
        segments = path.split("/")
        if ".." in segments:
            raise Refused(f"'{text}' leads out of the vault.", hint="Give a path below the vault's root, without '..'.")
        if any(s.startswith(".") and s != "." for s in segments):
            raise Refused(
                f"'{text}' names a hidden file or folder.",
                hint="Obsidian does not see names that start with a dot, and agents may not touch them.",
            )
        return path if path != "." else cls("")

    @property
    def name(self) -> str:
        """The last segment, extension included."""
        return self.rpartition("/")[2]

    @property
    def folder(self) -> "VaultPath":
        """The folder that holds it; ``""`` at the root."""
        return VaultPath(self.rpartition("/")[0])

    @property
    def extension(self) -> str:
        """Lower-cased text after the last dot of the name, without the dot; ``""`` when there is none (A1)."""
        return self.name.rpartition(".")[2].lower() if "." in self.name else ""

    @property
    def basename(self) -> str:
        """The name without its extension (A1)."""
        head, dot, _ = self.name.rpartition(".")
        return head if dot else self.name

    @property
    def key(self) -> str:
        """The form in which Obsidian compares paths (R14)."""
        return self.lower()

    @property
    def without_md(self) -> str:
        """The path as a link would write it: ``.md`` dropped, any other extension kept."""
        return self[:-3] if self.extension == "md" else str(self)

    def child(self, name: str) -> "VaultPath":
        """Return the path of ``name`` inside this folder."""
        return VaultPath(f"{self}/{name}" if self else name)

    def is_under(self, folder: str) -> bool:
        """Tell whether it lies in ``folder`` at any depth; everything lies under the root."""
        return not folder or self.startswith(f"{folder}/")


def check_new_path(path: VaultPath) -> None:
    """Check that a file may be created here, on every platform and without breaking links (F1-F5).

    Raises:
        Invalid: naming the segment and the reason.

    """
    if not path:
        raise Invalid("A file needs a name.", hint="Give a title or a path with a file name.")
    for segment in path.split("/"):
        reason = _bad_name(segment)
        if reason:
            raise Invalid(f"'{segment}' cannot be a file or folder name: {reason}.", hint="Choose another name.")
    if len(path) > _MAX_PATH_CHARS:
        raise Invalid(f"The path is {len(path)} characters long; Windows allows {_MAX_PATH_CHARS}.")


def _bad_name(name: str) -> str | None:
    forbidden, breaking = _FORBIDDEN.search(name), _LINK_BREAKING.search(name)
    faults = (
        (not name.strip(), "it is empty"),
        (forbidden, f"{forbidden[0]!r} is not allowed in names" if forbidden else ""),
        (breaking, f"'{breaking[0]}' breaks links to it" if breaking else ""),
        (name.startswith("."), "Obsidian hides names that start with a dot"),
        (name.endswith((" ", ".")), "it ends with a space or a dot"),
        (_is_device(name), "Windows keeps this name for a device"),
        (len(name.encode()) > _MAX_NAME_BYTES, f"it is longer than {_MAX_NAME_BYTES} bytes"),
    )
    return next((reason for fault, reason in faults if fault), None)


def _is_device(name: str) -> bool:
    return name.partition(".")[0].lower() in _DEVICES


def file_name_from_title(title: str) -> str:
    """Return the nearest legal file name (without extension) for a title (F1-F4, F6).

    Raises:
        Invalid: when nothing of the title can stand in a name.

    """
    name = unicodedata.normalize("NFC", title.translate(_HARD_SPACES))
    name = _LINK_BREAKING.sub(" ", _FORBIDDEN.sub("-", name))
    name = re.sub(r"\s+", " ", name).strip(" .")
    while len(name.encode()) > _MAX_NAME_BYTES - len(".canvas"):
        name = name[:-1].rstrip(" .")
    if _is_device(name):
        name = f"{name} note"
    if not name.strip("- "):
        raise Invalid(f"No file name can be made of the title '{title}'.", hint="Use letters or digits in the title.")
    return name
