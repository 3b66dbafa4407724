"""What wants attention among the memories: properties, links, near-duplicates, stale ones, and the index."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from sidecar.errors import SidecarError
from sidecar.model.path import VaultPath
from sidecar.parse.memory_file import MemoryForm, MemoryType, read_memory, with_properties
from sidecar.parse.memory_index import IndexLine, lines_of, without_lines
from sidecar.parse.note import parse_note
from sidecar.parse.rewrite_links import Rewrite, rewrite_links
from sidecar.parse.text import SourceText, decode
from sidecar.services.memory_brief import changed_ns
from sidecar.services.memory_index import IndexEdit, MemoryIndex, line_for
from sidecar.services.memory_results import MemoryFinding
from sidecar.services.memory_shelf import Memory, Shelf, loose_name
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["FileEdit", "Findings", "Found", "near_duplicates"]

_STALE_DAYS = 180
_DAY_NS = 86_400_000_000_000
_COMMON = 20
"""Words that more memories hold say nothing about which two are alike."""
_ALIKE = 0.7
"""The share of the words of two memories that both have."""
_FEWEST_WORDS = 4
_LONGEST_DESCRIPTION = 120

FileEdit = Callable[[SourceText], str]


@dataclass(frozen=True, slots=True)
class Found:
    """A finding, and what would fix it: an edit of the index (of its ``line``, if any), or of a memory's file."""

    finding: MemoryFinding
    index: IndexEdit | None = None
    line: int = 0
    path: VaultPath | None = None
    edit: FileEdit | None = None


@dataclass(frozen=True, slots=True)
class Findings:
    """Looks at the memories of one view."""

    view: View
    shelf: Shelf
    files: VaultFiles
    index: MemoryIndex
    form: MemoryForm
    now_ns: int

    def __iter__(self) -> Iterator[Found]:
        """Go through all findings but near-duplicates."""
        for memory in self.shelf.by_name:
            yield from self._of_properties(memory)
        for memory in self.shelf.by_name:
            yield from self._of_links(memory)
        for memory in self.shelf.by_name:
            days = (self.now_ns - changed_ns(memory)) // _DAY_NS
            if memory.is_of(MemoryType.PROJECT) and days >= _STALE_DAYS:
                message = f"'{memory.name}' is about a project and was not changed for {days} days."
                yield Found(MemoryFinding(f"stale:{memory.name}", "stale", memory.name, message))
        yield from self._of_index()

    def _of_properties(self, memory: Memory) -> Iterator[Found]:
        name, kind = memory.name, "bad_frontmatter"
        if memory.problem is not None:
            message = f"The properties of '{name}' do not parse (line {memory.problem.line}): {memory.problem.message}"
            yield Found(MemoryFinding(f"{kind}:{name}", kind, name, message))
            return
        if not memory.description:
            line = self._first_line(memory.path)
            message = f"'{name}' has no description, by which searches rank first."
            fix = "takes its first line" if line else None
            finding = MemoryFinding(f"{kind}:{name}:description", kind, name, message, fix)
            yield Found(finding, path=memory.path, edit=self._property(description=line) if line else None)
        if not any(memory.is_of(known) for known in MemoryType):
            head = name.rpartition("/")[2].lower().replace("_", "-").partition("-")[0]
            guess = next((known for known in MemoryType if known.value == head), None)
            what = f"the unknown type '{memory.type}'" if memory.type else "no type"
            fix = f"makes it {guess.value}, as its name says" if guess else None
            finding = MemoryFinding(f"{kind}:{name}:type", kind, name, f"'{name}' has {what}.", fix)
            yield Found(finding, path=memory.path, edit=self._property(kind=guess) if guess else None)

    def _first_line(self, path: VaultPath) -> str:
        try:
            text = decode(self.files.read(path)).text
        except SidecarError:
            return ""
        body = read_memory(text).body if self.view.sees_text(path, text) else ""
        line = next((plain for line in body.split("\n") if (plain := line.strip(" \t\r#*->"))), "")
        return line if len(line) <= _LONGEST_DESCRIPTION else line[:_LONGEST_DESCRIPTION].rpartition(" ")[0]

    def _property(self, *, description: str | None = None, kind: MemoryType | None = None) -> FileEdit:
        return lambda source: with_properties(source, form=self.form, description=description, kind=kind)

    def _of_links(self, memory: Memory) -> Iterator[Found]:
        dangling = {
            resolved.link.linkpath: resolved.link
            for resolved in reversed(self.view.outgoing(memory.path))
            if resolved.target is None and resolved.link.linkpath
        }
        for linkpath, link in reversed(dangling.items()):
            loose = loose_name(linkpath.rpartition("/")[2].removesuffix(".md"))
            meant = [other for other in self.shelf.by_name if loose in _loose_names(other)]
            only = meant[0] if len(meant) == 1 and link.property is None else None
            message = f"'{memory.name}' links to '{linkpath}', which is not there (line {link.line})."
            fix = f"leads it to '{only.name}'" if only else None
            identity = f"dangling_link:{memory.name}:{linkpath}"
            finding = MemoryFinding(identity, "dangling_link", memory.name, message, fix)
            edit = _leading(memory.path, linkpath, only.path) if only else None
            yield Found(finding, path=memory.path, edit=edit)

    def _of_index(self) -> Iterator[Found]:
        path, state = self.index.path(), self.index.state(self.view)
        data = self.index.bytes(path) if state is not None and state.left_alone is None else None
        names = {memory.name.lower(): memory for memory in self.shelf.by_name}
        listed: set[str] = set()
        for line in lines_of(decode(data).text) if data is not None else ():
            own = names.get(line.name.lower()) or next(
                (memory for memory in self.shelf.by_name if line.is_wikilink and line.is_of(memory.name)), None
            )
            if own is not None and own.name not in listed:
                listed.add(own.name)
                continue
            if own is None and self._leads_somewhere(line):
                continue
            kind, name = ("index_line", line.name) if own is None else ("index_twice", own.name)
            what = f"leads to '{name}', which is not there" if own is None else f"is another one of '{name}'"
            message = f"Line {line.number} of the index {what}."
            finding = MemoryFinding(f"{kind}:{name}:{line.number}", kind, name, message, "takes the line away")
            yield Found(finding, index=_without(line), line=line.number)
        for memory in self.shelf.by_name:
            if memory.name not in listed:
                message = f"'{memory.name}' has no line in the index, so Claude Code does not know of it."
                kind = "not_in_index"
                finding = MemoryFinding(f"{kind}:{memory.name}", kind, memory.name, message, "adds the line")
                yield Found(finding, index=line_for(memory.name, _title(memory), memory.description))
        if state is not None and state.size.is_tight:
            over = "its end is not loaded any more" if state.size.is_over else "only 200 lines or 25 kB are loaded"
            message = f"The index has {state.size.lines} lines and {state.size.bytes} bytes; {over}."
            yield Found(MemoryFinding("index_size", "index_size", path, f"{message} Merge or delete memories."))

    def _leads_somewhere(self, line: IndexLine) -> bool:
        try:
            found = VaultPath.of(f"{self.index.folder}/{line.name}")
        except SidecarError:
            return True  # out of the folder: not ours to judge
        seen = (path for path in (found, VaultPath(f"{found}.md")) if self.view.sees(path))
        return line.is_wikilink or any(map(self.files.exists, seen))


def _without(line: IndexLine) -> IndexEdit:
    return lambda source: without_lines(source.text, line)


def _leading(path: VaultPath, linkpath: str, to: VaultPath) -> FileEdit:
    """Return the edit that lets all links of this path lead to a memory."""

    def edit(source: SourceText) -> str:
        links = [link for link in parse_note(path, source.text).links if link.linkpath == linkpath]
        rewrites = [
            Rewrite(link, to.basename if link.raw.endswith("]]") else to.name, to, to)
            for link in links
            if link.property is None
        ]
        return rewrite_links(source.text, rewrites, source.newline)

    return edit


def _loose_names(memory: Memory) -> frozenset[str]:
    return frozenset(map(loose_name, filter(None, (memory.name, memory.said_name, *memory.aliases))))


def _title(memory: Memory) -> str | None:
    said = memory.said_name
    return said if said and loose_name(said) != loose_name(memory.name) else None


def near_duplicates(shelf: Shelf) -> Iterator[Found]:
    """Find pairs that share most of their words; only pairs with a rare word in common are compared."""
    words: Mapping[VaultPath, frozenset[str]] = {path: frozenset(own) for path, own in shelf.corpus.words.items()}
    pairs = {
        (one, other)
        for held in shelf.corpus.holders.values()
        if 1 < len(held) <= _COMMON
        for one in held
        for other in held
        if one < other
    }
    for one, other in sorted(pairs):
        shared, every = len(words[one] & words[other]), len(words[one] | words[other])
        if shared >= _FEWEST_WORDS and shared >= _ALIKE * every:
            name, twin = shelf.memories[one].name, shelf.memories[other].name
            message = f"'{name}' and '{twin}' say nearly the same. Merge them with recall_update and recall_delete."
            yield Found(MemoryFinding(f"near_duplicate:{name}:{twin}", "near_duplicate", name, message))
