"""Addresses of what a vault holds: ``note://``, ``folder://``, ``tag://`` and ``search://``, each with a project."""

from dataclasses import dataclass
from urllib.parse import quote, unquote

from sidecar.model.path import VaultPath
from sidecar.services.watching import Subject, SubjectKind

__all__ = ["TEMPLATES", "Address", "address_of"]

TEMPLATES = {
    SubjectKind.NOTE: "note://{project}/{+path}",
    SubjectKind.FOLDER: "folder://{project}/{+path}",
    SubjectKind.TAG: "tag://{project}/{tag}",
    SubjectKind.SEARCH: "search://{project}/{query}",
}
"""The shape of each kind of address (RFC 6570)."""
_KINDS = {kind.value: kind for kind in TEMPLATES}
_PATHS = (SubjectKind.NOTE, SubjectKind.FOLDER)


@dataclass(frozen=True, slots=True)
class Address:
    """Something in a project, named by its kind and a path, a tag or a query."""

    project: str
    subject: Subject

    def __str__(self) -> str:
        """Return the address as a URI; slashes of a path stay."""
        kind, text = self.subject.kind, self.subject.text
        return f"{kind.value}://{quote(self.project, safe='')}/{quote(text, safe='/' if kind in _PATHS else '')}"


def address_of(uri: str) -> Address | None:
    """Read a URI; ``None`` when it is no address of ours.

    Raises:
        Refused: when its path leads out of the vault or to a hidden file.

    """
    scheme, found, rest = uri.partition("://")
    kind = _KINDS.get(scheme.lower())
    project, _, text = rest.partition("/")
    if not found or kind is None or not project:
        return None
    said = unquote(text)
    return Address(unquote(project), Subject(kind, VaultPath.of(said) if kind in _PATHS else said.strip()))
