import pytest

from sidecar.model.path import VaultPath
from sidecar.services.base_links import base_links
from sidecar.services.caller import Audience
from tests.conftest import Served


@pytest.mark.parametrize(
    ("formula", "links"),
    [
        ('file.hasLink("Note")', [("Note", "a/Note.md")]),
        ("file.hasLink('Note#Part')", [("Note", "a/Note.md")]),
        ('file.hasLink(link("a/Note"))', [("a/Note", "a/Note.md")]),
        ('up == "[[Note|x]]"', [("Note", "a/Note.md")]),
        ('file.path == "a/Note.md"', [("a/Note.md", "a/Note.md")]),
        ('file.hasLink("None")', [("None", None)]),
        ('status == "Note"', []),
        ('file.inFolder("a")', []),
        ('file.hasTag("Note")', []),
    ],
)
def test_what_in_a_formula_is_a_link(served: Served, formula: str, links: list[tuple[str, str | None]]) -> None:
    served.write("a/Note.md", "x")
    served.write("B.base", f"views:\n  - type: table\n    name: Note\n    filters: {formula}\n")
    services = served.open().services
    view, read = services.links._views.newest(Audience.AGENT), services.links._files.reader()
    found = list(base_links(view, read, VaultPath("B.base")))
    assert [(link.linkpath, target) for link, target in found] == links
    assert all((link.line, served.read("B.base")[link.start :].startswith(link.raw)) == (4, True) for link, _ in found)
    assert list(base_links(view, read, VaultPath("gone.base"))) == []
