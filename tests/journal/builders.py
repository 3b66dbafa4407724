"""A vault with sink and journal, and undo on top."""

from pathlib import Path

from sidecar.journal.intents import SqliteJournal
from sidecar.journal.undo import plan_undo
from sidecar.model.change import Author, ChangeSet, Entry, Op, RecordedChange
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath as P
from sidecar.vault import trash
from sidecar.vault.changes import DiskSink
from sidecar.vault.files import VaultFiles

ODD = b"\xef\xbb\xbf---\r\na: 1 # why\r\n---\r\ntext\nno final newline"


class Bench:
    """A vault with sink and journal, and undo on top."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "vault"
        self.root.mkdir()
        self.journal = SqliteJournal(folder / "journal.sqlite3", lambda: 1)
        self.files = VaultFiles(self.root)
        self.sink = DiskSink(self.files, self.journal, lambda *_: None)

    def put(self, path: str, data: bytes) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(data)

    def current(self, path: P) -> bytes | None:
        return trash.current(self.files, path)

    def has_folder(self, path: P) -> bool:
        return trash.has_folder(self.files, path)

    def hash(self, path: str) -> str:
        return checksum(self.files.read(P(path)))

    def apply(self, *entries: Entry) -> RecordedChange:
        return self.change(ChangeSet("test", entries, "a test"))

    def change(self, change: ChangeSet) -> RecordedChange:
        return self.sink.apply(change, Author("c", "s"))

    def create(self, path: str, data: bytes) -> RecordedChange:
        return self.apply(Entry(Op.CREATE, P(path), None, data))

    def replace(self, path: str, data: bytes) -> RecordedChange:
        return self.apply(Entry(Op.REPLACE, P(path), self.hash(path), data))

    def move(self, path: str, to: str, data: bytes | None = None) -> RecordedChange:
        return self.apply(Entry(Op.MOVE, P(path), self.hash(path), data, P(to)))

    def trash(self, path: str, to: str | None = None) -> RecordedChange:
        return self.apply(Entry(Op.TRASH, P(path), self.hash(path), None, None if to is None else P(to)))

    def delete(self, path: str) -> RecordedChange:
        """Delete a file to the vault's own trash, as delete_note does."""
        return self.trash(path, trash.free_place(self.files, P(path).name))

    def plan(self, *changes: RecordedChange) -> ChangeSet:
        now = [self.journal.change(change.id) for change in changes]
        return plan_undo(now, self.current, self.journal.blob, self.has_folder, reason="mistake")

    def undo(self, *changes: RecordedChange) -> RecordedChange:
        return self.change(self.plan(*changes))

    def tree(self) -> dict[str, bytes]:
        return {
            str(place.relative_to(self.root)): place.read_bytes()
            for place in self.root.rglob("*")
            if place.is_file() and ".trash" not in place.parts
        }

    def everything(self) -> dict[str, bytes | None]:
        """Return all files with their bytes and all folders, those of the trash too."""
        return {
            str(place.relative_to(self.root)): place.read_bytes() if place.is_file() else None
            for place in self.root.rglob("*")
        }
