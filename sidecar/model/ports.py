"""What a lower layer needs of a higher one, and the places where a second implementation is likely."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from sidecar.model.change import Author, ChangeSet, ChangeState, RecordedChange
from sidecar.model.note import ParsedFile
from sidecar.model.path import VaultPath
from sidecar.model.search import Hits, Leaf, Passage, SearchFilter, SearchRequest

__all__ = ["ChangeSink", "Changed", "Clock", "Events", "Journal", "Nearest", "Scope", "SearchIndex", "Texts"]


class Clock(Protocol):
    """Tells the time in nanoseconds since the epoch."""

    def __call__(self) -> int: ...


class Scope(Protocol):
    """Answers the parts of a search that the catalog knows: tags, paths, properties, dates, and who asks."""

    def matching(self, leaf: Leaf) -> frozenset[VaultPath]:
        """Return the files that meet one condition."""
        ...

    def allowed(self, conditions: SearchFilter) -> frozenset[VaultPath] | None:
        """Return the files that may be found at all, or ``None`` when nothing is excluded."""
        ...


class Texts(Protocol):
    """What notes say as the index knows them; for one search, on one thread at a time."""

    def of(self, path: VaultPath) -> bytes | None:
        """Return what of a note is for searching, in UTF-8; ``None`` when the file is to be read for that."""
        ...

    def close(self) -> None:
        """Close all files; a text asked for afterwards opens them again."""
        ...


class SearchIndex(Protocol):
    """A full-text index. Only the writer thread calls ``put``, ``remove`` and ``commit``."""

    def put(self, file: ParsedFile) -> None:
        """Add or replace one file; found after the next ``commit``."""
        ...

    def remove(self, path: VaultPath) -> None:
        """Forget one file."""
        ...

    def commit(self) -> None:
        """Make all changes since the last commit visible to new searches."""
        ...

    def search(self, request: SearchRequest, scope: Scope) -> Hits:
        """Rank the files that match."""
        ...

    def vocabulary(self, beginning: str) -> frozenset[str]:
        """Return the words that begin so, among them some that stand in no file any more."""
        ...

    def texts(self) -> Texts:
        """Return the texts of notes as far as a search would not have to look at the files themselves."""
        ...


class Nearest(Protocol):
    """Search by meaning; there only with the extra ``semantic``. Called on a reader thread."""

    @property
    def missing(self) -> str | None:
        """Why there is no search by meaning now, in the user's words; ``None`` when there is."""
        ...

    def nearest(self, text: str, limit: int, among: Callable[[VaultPath], bool]) -> Sequence[Passage]:
        """Return each file's nearest passage, best first, of those files that ``among`` lets through.

        Raises:
            Unavailable: when ``missing`` says why.

        """
        ...


class ChangeSink(Protocol):
    """Carries a planned change to the files."""

    def apply(self, change: ChangeSet, author: Author) -> RecordedChange:
        """Apply all entries or none.

        Raises:
            Stale: when a file is no longer what the plan was made on.

        """
        ...


class Journal(Protocol):
    """Remembers every change with its bytes, durably, before the first file is touched."""

    def begin(self, change: ChangeSet, author: Author, before: Mapping[VaultPath, bytes]) -> RecordedChange:
        """Store the intent with the bytes before and after; on return it survives a power failure."""
        ...

    def finish(self, change_id: str, state: ChangeState) -> RecordedChange:
        """Say how the change ended."""
        ...

    def open_changes(self) -> tuple[RecordedChange, ...]:
        """Return the changes that were begun and never finished, oldest first."""
        ...

    def blob(self, checksum: str) -> bytes:
        """Return stored bytes by their SHA-256.

        Raises:
            NotFound: when they were never kept, or are past their time.

        """
        ...


@dataclass(frozen=True, slots=True)
class Changed:
    """These files look different from generation ``generation`` on."""

    paths: tuple[VaultPath, ...]
    generation: int


class Events(Protocol):
    """Tells subscribers that files changed; nobody below the app knows who listens."""

    def publish(self, event: Changed) -> None: ...

    def subscribe(self, listener: Callable[[Changed], None]) -> Callable[[], None]:
        """Call ``listener`` for each event, on the publisher's thread; the result unsubscribes."""
        ...


Apply = Callable[[Iterable[VaultPath]], None]
"""The pipeline as its callers see it: look at these paths again."""
