"""What clients may read beside the tools: our guides, every note, and lists that follow the vault."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from sidecar.errors import Invalid, NotFound, SidecarError
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.services.caller import Caller
from sidecar.services.note_list import ListedNote, Place
from sidecar.services.services import Services
from sidecar.services.watching import Subject, SubjectKind
from sidecar.tools.addresses import TEMPLATES, Address, address_of
from sidecar.tools.desk import Desk
from sidecar.tools.dispatch import call_tool
from sidecar.tools.families import tools_of

__all__ = [
    "GUIDES",
    "RESOURCE_TEMPLATES",
    "Contents",
    "Guide",
    "Resource",
    "ResourcePage",
    "Template",
    "project_names",
    "read_resource",
    "resource_page",
    "vault_named",
]

_PAGE = 100
_MARKDOWN = "text/markdown"
_TYPES = {FileKind.NOTE: _MARKDOWN, FileKind.CANVAS: "application/json", FileKind.BASE: "application/yaml"}


@dataclass(frozen=True, slots=True)
class Resource:
    """One entry of the list. ``size`` is bytes, ``modified_ns`` nanoseconds since the epoch."""

    uri: str
    name: str
    title: str
    content_type: str
    description: str | None = None
    size: int | None = None
    modified_ns: int | None = None


@dataclass(frozen=True, slots=True)
class ResourcePage:
    """A piece of the list; ``next`` is the cursor of the one behind it."""

    resources: tuple[Resource, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Contents:
    """What reading gives: text, or bytes of what is no text."""

    content_type: str
    text: str | None
    data: bytes = b""


@dataclass(frozen=True, slots=True)
class Guide:
    """A text of our own that is served as it is."""

    name: str
    title: str
    description: str
    file: str
    aliases: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The text itself."""
        return files("sidecar.tools").joinpath("text", self.file).read_text("utf-8")


@dataclass(frozen=True, slots=True)
class Template:
    """A shape of addresses."""

    uri: str
    name: str
    title: str
    description: str
    content_type: str | None = None


GUIDES = {
    "spec://canvas": Guide(
        "canvas", "JSON Canvas", "How canvases are written, and what the tool canvas fills in.", "canvas.md"
    ),
    "guide://vault-sidecar": Guide(
        "guide", "Assistant guide", "How to work in an Obsidian vault with these tools.", "guide.md"
    ),
    "memory://ai_assistant_guide": Guide(
        "ai_assistant_guide", "Assistant guide", "The same as guide://vault-sidecar.", "guide.md"
    ),
}
"""Our own texts by their address."""

RESOURCE_TEMPLATES = (
    Template(
        TEMPLATES[SubjectKind.NOTE], "note", "Note", "The text of a note, canvas or base, by its path in a project."
    ),
    Template(TEMPLATES[SubjectKind.FOLDER], "folder", "Folder", "The folders and files in a folder.", _MARKDOWN),
    Template(TEMPLATES[SubjectKind.TAG], "tag", "Tag", "The notes that bear a tag, newest first.", _MARKDOWN),
    Template(TEMPLATES[SubjectKind.SEARCH], "search", "Search", "What a search finds, best first.", _MARKDOWN),
)


async def resource_page(desk: Desk, caller: Caller, cursor: str | None) -> ResourcePage:
    """Return a piece of the list: our guides, then one project after the other, each newest note first.

    Raises:
        Invalid: when the cursor is none of ours.

    """
    names = project_names(desk)
    project, after = _read_cursor(cursor, names) if cursor else (names[0] if names else None, None)
    guides = () if cursor else tuple(_listed_guide(uri, guide) for uri, guide in GUIDES.items())
    while project is not None:
        following = next(iter(names[names.index(project) + 1 :]), None)
        try:
            services = await vault_named(desk, project)
        except SidecarError:
            if len(names) == 1:
                raise
            project, after = following, None  # a folder that is gone must not hide the other projects
            continue
        page = await services.note_list.page(caller, after, _PAGE)
        notes = tuple(_listed_note(services.project, note) for note in page.notes)
        if page.next:
            return ResourcePage((*guides, *notes), _cursor(project, page.next))
        return ResourcePage((*guides, *notes), _cursor(following, None) if following else None)
    return ResourcePage(guides, None)


async def read_resource(desk: Desk, caller: Caller, uri: str) -> Contents:
    """Read what an address names.

    Raises:
        NotFound: when there is nothing, or nothing that the caller may see.
        Refused: when it is too large, or the path leads out of the vault.

    """
    if uri in GUIDES:
        return Contents(_MARKDOWN, GUIDES[uri].text)
    address = address_of(uri)
    if address is None:
        raise NotFound(f"There is no resource '{uri}'.", hint="resources/templates/list shows what can be read.")
    services = await vault_named(desk, address.project)
    if address.subject.kind is SubjectKind.NOTE:
        file = await services.note_list.read(caller, address.subject.text)
        if file.text is not None:
            return Contents(file.content_type, file.text.text)
        shown = file.picture or file
        return Contents(shown.content_type, None, shown.data)
    tool, arguments = _question(address.subject)
    reply = await call_tool(tools_of(), desk, caller, tool, {**arguments, "project": address.project})
    text = "\n\n".join(reply.blocks)
    if reply.is_error:
        raise NotFound(text)
    return Contents(_MARKDOWN, text)


async def vault_named(desk: Desk, project: str) -> Services:
    """Return the services of a project that this connection reaches.

    Raises:
        NotFound: when it reaches none of this name.

    """
    tied = desk.tied
    if tied is not None and project.lower() not in (tied.project.lower(), tied.project_id):
        raise NotFound(f"There is no project '{project}' here.", candidates=(tied.project,))
    return (await desk.choose({"project": project})).services


def project_names(desk: Desk) -> list[str]:
    """Return the projects that a connection reaches, the default first."""
    if desk.tied is not None:
        return [desk.tied.project]
    return [project.name for project in sorted(desk.projects.all(), key=lambda p: not p.is_default)]


def _question(subject: Subject) -> tuple[str, dict[str, Any]]:
    match subject.kind:
        case SubjectKind.FOLDER:
            return "list_directory", {"dir_name": subject.text or "/", "page_size": 500}
        case SubjectKind.TAG:
            return "search_notes", {"tags": [subject.text], "page_size": 100}
        case _:
            return "search_notes", {"query": subject.text, "page_size": 20}


def _listed_guide(uri: str, guide: Guide) -> Resource:
    return Resource(uri, guide.name, guide.title, _MARKDOWN, guide.description, len(guide.text.encode()))


def _listed_note(project: str, note: ListedNote) -> Resource:
    uri = str(Address(project, Subject(SubjectKind.NOTE, note.path)))
    content_type = _TYPES[kind_of(note.path)]
    return Resource(uri, note.path, note.title, content_type, size=note.size, modified_ns=note.modified_ns)


def _cursor(project: str, after: Place | None) -> str:
    said = [project, after.modified_ns, after.path] if after else [project]
    return urlsafe_b64encode(json.dumps(said).encode()).decode()


def _read_cursor(cursor: str, names: list[str]) -> tuple[str, Place | None]:
    try:
        project, *place = json.loads(urlsafe_b64decode(cursor))
        after = Place(int(place[0]), VaultPath(place[1])) if place else None
    except (ValueError, TypeError, IndexError):
        raise Invalid("This cursor is none of the list's.", hint="Begin again without a cursor.") from None
    if project not in names:
        raise Invalid("The project of this cursor is gone.", hint="Begin again without a cursor.")
    return project, after
