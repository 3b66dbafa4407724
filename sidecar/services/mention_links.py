"""Unlinked mentions of one file written as links, so that the file shows the same text as before."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from sidecar.canvas.rewrite import rewrite_canvas
from sidecar.canvas.source import NotACanvas
from sidecar.catalog.linktext import LinkFormat, markdown_link, wikilink
from sidecar.errors import Invalid, Refused
from sidecar.model.note import FileKind, Link, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.encrypted import check_edit
from sidecar.parse.note import links_in, parse_note
from sidecar.parse.text import decode
from sidecar.services.mention import Spot
from sidecar.services.text_cards import text_cards
from sidecar.services.views import View
from sidecar.vault.obsidian_settings import ObsidianSettings

__all__ = ["LinkWriter"]


@dataclass(frozen=True, slots=True)
class LinkWriter:
    """Writes links to one file as the vault's settings ask (L1-L3, G1, G2)."""

    view: View
    target: VaultPath
    settings: ObsidianSettings

    def linked(self, source: VaultPath, data: bytes, spots: Sequence[Spot]) -> bytes:
        """Return a file with these mentions as links; every other byte stays.

        The spots are those found in this very version of the file.

        Raises:
            NotText: when the file is no text.
            Encrypted: when what is encrypted in it would be touched.
            Refused: when the text around a mention would make something else of a link there.

        """
        old = decode(data)
        if kind_of(source) is FileKind.CANVAS:
            return old.encode(self._canvas(source, old.text, spots))
        text = self._edited(source, old.text, spots)
        check_edit(source, old.text, text)
        self._check(source, parse_note(source, old.text).links, parse_note(source, text).links, len(spots))
        return old.encode(text)

    def _canvas(self, source: VaultPath, text: str, spots: Sequence[Spot]) -> str:
        waiting = [card for card in text_cards(text) if card.text]

        def card(said: str) -> str:
            # Cards are asked about in their order, and those that have no id are not among the waiting.
            if not waiting or waiting[0].text != said:
                return said
            own = waiting.pop(0).id
            here = [spot for spot in spots if spot.card == own]
            after = self._edited(source, said, here)
            self._check(source, links_in(said), links_in(after), len(here))
            return after

        try:
            return rewrite_canvas(text, lambda path: path, card)
        except NotACanvas as error:
            raise Refused(error.message, hint=error.hint) from error

    def _edited(self, source: VaultPath, text: str, spots: Iterable[Spot]) -> str:
        pieces, done = [], 0
        for spot in sorted(spots, key=lambda spot: spot.start):
            pieces += [text[done : spot.start], self._link(source, spot)]
            done = spot.start + len(spot.written)
        return "".join([*pieces, text[done:]])

    def _link(self, source: VaultPath, spot: Spot) -> str:
        names = self.view.snapshot.names
        link_format: LinkFormat = self.settings.new_link_format.value
        write: Callable[..., str] = markdown_link if self.settings.use_markdown_links else wikilink
        try:
            link = write(self.target, source, names, display=spot.written, link_format=link_format)
        except Invalid:  # the file's name cannot stand in double brackets (F2)
            link = markdown_link(self.target, source, names, display=spot.written, link_format=link_format)
        return link.replace("|", "\\|") if spot.in_table else link

    def _check(self, source: VaultPath, old: Sequence[Link], new: Sequence[Link], count: int) -> None:
        """Check what was written by reading it: the old links are there as before, and as many new ones lead right."""
        left = list(old)
        added = []
        for link in new:
            if left and (link.raw, link.linkpath) == (left[0].raw, left[0].linkpath):
                left.pop(0)
            else:
                added.append(link)
        if left or len(added) != count or any(not self._leads_there(source, link) for link in added):
            raise Refused("a link there would be read as something else")

    def _leads_there(self, source: VaultPath, link: Link) -> bool:
        is_embed = link.raw.startswith("!")
        return not is_embed and self.view.snapshot.resolve(link.linkpath, source).target == self.target
