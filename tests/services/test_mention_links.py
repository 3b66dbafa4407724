import pytest

from sidecar.errors import Refused
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath
from sidecar.services.caller import Audience
from sidecar.services.mention import Direction, MentionKind, Spot
from sidecar.services.mention_links import LinkWriter
from sidecar.vault.obsidian_settings import ObsidianSettings
from tests.conftest import Served

SOURCE = VaultPath("Log.md")


def spot(text: str, name: str = "Apollo", *, card: str | None = None) -> Spot:
    start = text.index(name)
    return Spot(SOURCE, VaultPath("Apollo.md"), Direction.MENTIONS, MentionKind.BODY, 1, start, name, checksum(text.encode()), card=card)  # fmt: skip


def writer(served: Served) -> LinkWriter:
    served.write("Apollo.md", "x")
    served.write("Other.md", "x")
    view = served.open().services.links._views.newest(Audience.AGENT)
    return LinkWriter(view, VaultPath("Apollo.md"), ObsidianSettings())


@pytest.mark.parametrize(
    "data",
    [b"\xef\xbb\xbfOn Apollo\r\n[[Other]]\r\nend", b"On Apollo, ![[Other]] [x](Other.md) `c`", b"---\nup: '[[Other]]'\n---\nApollo"],
)  # fmt: skip
def test_every_other_byte_stays(served: Served, data: bytes) -> None:
    text = data.decode("utf-8-sig")
    assert writer(served).linked(SOURCE, data, [spot(text)]) == data.replace(b"Apollo", b"[[Apollo]]")


@pytest.mark.parametrize("text", ["`Apollo`", "Wow!Apollo", "\\Apollo", "[[Other|Apollo]]", "[Apollo](Other.md)", "---\na: Apollo\n---\n"])  # fmt: skip
def test_a_link_that_would_be_read_as_something_else_is_refused(served: Served, text: str) -> None:
    with pytest.raises(Refused):
        writer(served).linked(SOURCE, text.encode(), [spot(text)])


def test_a_broken_canvas_is_refused_and_a_card_without_id_left(served: Served) -> None:
    write = writer(served)
    with pytest.raises(Refused):
        write.linked(VaultPath("M.canvas"), b"{Apollo", [spot("Apollo", card="a")])
    canvas = '{"nodes":[{"type":"text","text":"Apollo"},{"id":"a","type":"text","text":"Apollo"}]}'
    after = write.linked(VaultPath("M.canvas"), canvas.encode(), [spot("Apollo", card="a")]).decode()
    assert after.count("[[Apollo]]") == 1
