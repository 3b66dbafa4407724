"""What of a file is searched: its texts, by field."""

from collections.abc import Iterator, Mapping

from sidecar.index.analysis import GAP
from sidecar.model.note import FileKind, Json, ParsedFile

__all__ = ["field_texts"]

_IN_OTHER_FIELDS = frozenset({"title", "alias", "aliases", "tag", "tags"})


def field_texts(file: ParsedFile) -> Mapping[str, str]:
    """Return the text of each field that is not empty; an attachment is known by its name alone."""
    name = file.path.basename if file.kind is FileKind.NOTE else file.path.name
    texts = {
        "title": _joined(dict.fromkeys((file.title, name))),
        "alias": _joined(file.aliases),
        "heading": _joined(heading.text for heading in file.headings),
        "tag": _joined(dict.fromkeys(tag.name for tag in file.tags)),
        "property": _joined(
            text for key, value in file.properties.items() if key.lower() not in _IN_OTHER_FIELDS for text in _in(value)
        ),
        "body": file.body,
    }
    return {field: text for field, text in texts.items() if text}


def _joined(texts: "Iterator[str] | Mapping[str, None] | tuple[str, ...]") -> str:
    return GAP.join(texts)


def _in(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield str(value)
    elif isinstance(value, list):
        for item in value:
            yield from _in(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _in(item)
