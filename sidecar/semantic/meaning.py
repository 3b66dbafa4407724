"""Search by meaning for one vault: answers from what is embedded, while a thread of its own embeds the rest."""

import logging
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Condition, Lock, Thread
from typing import TYPE_CHECKING

from sidecar.errors import SidecarError, Unavailable
from sidecar.model.path import VaultPath
from sidecar.model.search import Passage
from sidecar.semantic.offer import OFF, library_and_name, why_not

if TYPE_CHECKING:
    from sidecar.semantic.embedding import Embedding, Texts

__all__ = ["Meaning", "MeaningProgress"]

_log = logging.getLogger(__name__)

_FIRST_REST = 2.0
"""Seconds in which a vault just opened has the machine to itself."""
_REST = 0.3
"""Seconds in which several changes come together."""
_IDLE_SHARE = 0.5
"""Seconds of rest for each second of the processor: others have the interpreter meanwhile."""
_BEFORE_RETRY = 60.0


@dataclass(frozen=True, slots=True)
class MeaningProgress:
    """How far search by meaning is."""

    model: str
    missing: str | None
    """Why there is none, in the user's words, to stand behind a colon."""
    embedded: int = 0
    """Files that can be found."""
    left: int = 0
    """Files that are to be embedded yet."""
    passages: int = 0


class Meaning:
    """The port ``Nearest``. Nothing heavy is loaded before it is needed, and nothing at all without the extra."""

    def __init__(
        self,
        folder: Path,
        model: str,
        texts: "Texts",
        is_busy: Callable[[], bool],
        first_rest: float = _FIRST_REST,
        idle_share: float = _IDLE_SHARE,
    ) -> None:
        """Begin nothing yet; while ``is_busy`` says so, other work on the vault goes first."""
        self._folder = folder
        self._model = model
        self._texts = texts
        self._is_busy = is_busy
        self._first_rest = first_rest
        self._idle_share = idle_share
        self._opening = Lock()
        self._opened: Embedding | None = None
        self._why = why_not(model)
        self._told = Condition()
        self._paths: set[VaultPath] = set()
        self._compares_all = True
        self._ending = False
        self._is_settled = False
        self._thread: Thread | None = None

    @property
    def missing_model(self) -> str | None:
        """Why the model that the user chose cannot be had; ``None`` when it can, or when none is wanted."""
        is_wanted = library_and_name(self._model)[0] != OFF
        return self._why if is_wanted and self._open() is None else None

    @property
    def missing(self) -> str | None:
        """Why there is no search by meaning now; as soon as something is embedded it answers with that."""
        opened = self._open()
        if opened is None:
            return self._why
        if opened.passages or self._is_settled:
            return None
        return f"nothing is embedded yet, {opened.left or 'all'} files are to come"

    @property
    def progress(self) -> MeaningProgress:
        """How far it is; nothing is loaded to tell. From any thread."""
        opened = self._opened
        if opened is None:
            return MeaningProgress(self._model, self._why)
        return MeaningProgress(self._model, None, opened.embedded, opened.left, opened.passages)

    def nearest(self, text: str, limit: int, among: Callable[[VaultPath], bool]) -> Sequence[Passage]:
        """Return each file's nearest passage, best first, of those files that ``among`` lets through.

        Raises:
            Unavailable: when ``missing`` says why.

        """
        missing = self.missing
        opened = self._opened
        if missing or opened is None:
            raise Unavailable(missing or "nothing is embedded yet")
        return opened.nearest(text, limit, among)

    def start(self) -> None:
        """Embed in the background from now on, if that is possible."""
        if self._why is None and self._thread is None:
            self._thread = Thread(target=self._work, name="meaning", daemon=True)
            self._thread.start()

    def look_again(self, paths: Collection[VaultPath] | None) -> None:
        """Have these files embedded soon, or forgotten; ``None`` compares all. Any thread may call."""
        with self._told:
            if paths is None:
                self._compares_all = True
            else:
                self._paths.update(paths)
            self._is_settled = False
            self._told.notify_all()

    def settle(self, seconds: float) -> bool:
        """Wait until nothing is left to do, at most so long; tell whether that is so."""
        with self._told:
            return self._told.wait_for(lambda: self._is_settled, seconds)

    def close(self) -> None:
        """End the work after the batch in hand."""
        with self._told:
            self._ending = True
            self._told.notify_all()
        if self._thread is not None:
            self._thread.join()

    def _open(self) -> "Embedding | None":
        with self._opening:
            if self._opened is None and self._why is None:
                from sidecar.semantic.embedding import open_embedding  # noqa: PLC0415 - needs the extra, and time

                try:
                    self._opened = open_embedding(self._folder, self._model, self._texts)
                except SidecarError as error:
                    self._why = error.message
                except OSError as error:
                    self._why = f"the folder for its vectors cannot be used: {error.strerror}"
            return self._opened

    def _work(self) -> None:
        self._rest(self._first_rest)
        while not self._ending:
            try:
                embedding = self._open()
                if embedding is None:
                    return
                self._follow(embedding)
            except Exception as error:  # noqa: BLE001 - nobody waits for this thread
                # An error's own words may quote a note: they stay out of the log.
                _log.error("Embedding failed, trying again: %s.", type(error).__name__)
                self._compares_all = True
                self._rest(_BEFORE_RETRY)

    def _follow(self, embedding: "Embedding") -> None:
        """Do what is to do, then wait for more; until the end."""
        while not self._ending:
            if self._is_busy():
                self._rest(_REST)
                continue
            begin = time.thread_time()
            self._compare(embedding)
            goes_on = embedding.step(lambda: self._ending)
            if goes_on:
                self._rest((time.thread_time() - begin) * self._idle_share)
                continue
            with self._told:
                self._is_settled = not self._paths and not self._compares_all
                self._told.notify_all()
                self._told.wait_for(lambda: self._paths or self._compares_all or self._ending)
            self._rest(_REST)

    def _compare(self, embedding: "Embedding") -> None:
        with self._told:
            paths, everything = frozenset(self._paths), self._compares_all
            self._paths.clear()
            self._compares_all = False
        if everything:
            embedding.compare(None)
        elif paths:
            embedding.compare(paths)

    def _rest(self, seconds: float) -> None:
        with self._told:
            self._told.wait_for(lambda: self._ending, seconds)
