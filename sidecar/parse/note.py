"""One Markdown note as a value: all that its text says."""

from sidecar.model.note import FileKind, Link, ParsedFile
from sidecar.model.path import VaultPath
from sidecar.parse.block_id import block_ids_of
from sidecar.parse.fact import observations_of, relations_of
from sidecar.parse.frontmatter import aliases_of, read_properties, tags_of, title_of
from sidecar.parse.inline import read_inline
from sidecar.parse.property_link import property_links, property_tags
from sidecar.parse.scanner import scan
from sidecar.parse.searchable import searchable_text
from sidecar.parse.tag import all_tags
from sidecar.parse.task import tasks_of

__all__ = ["links_in", "parse_note"]


def parse_note(path: VaultPath, text: str) -> ParsedFile:
    """Read a whole note; what cannot be read is left out or reported in ``problem``, never raised.

    The body is what is for searching: data and encrypted text are blanked out and hold no links, tags or headings.
    """
    properties = read_properties(text)
    values, start = properties.values, properties.body_start
    readable = searchable_text(path, text)
    blocks = scan(readable, start)
    inline = read_inline(readable, blocks)
    return ParsedFile(
        path=path,
        kind=FileKind.NOTE,
        title=title_of(values) or path.basename,
        body=readable[start:],
        properties=values,
        problem=properties.problem,
        aliases=aliases_of(values),
        headings=tuple(blocks.headings),
        tags=all_tags(property_tags(text, start, tags_of(values)), inline.tags),
        links=property_links(text, start, values) + tuple(inline.links),
        tasks=tasks_of(readable, blocks.items),
        block_ids=block_ids_of(readable, blocks),
        observations=observations_of(readable, blocks.items, inline.tags),
        relations=relations_of(readable, blocks.items),
        text=readable,
    )


def links_in(text: str) -> tuple[Link, ...]:
    """Return the links of a Markdown text that has no properties, such as a text card of a canvas (J9)."""
    return tuple(read_inline(text, scan(text)).links)
