"""What can be wrong with the index itself; no note is ever affected."""

from sidecar.errors import Unavailable

__all__ = ["IndexDamaged", "IndexNotWritten"]


class IndexDamaged(Unavailable):
    """The files of the index cannot be read; the next commit starts it anew."""

    def __init__(self) -> None:
        super().__init__(
            "The search index is damaged and has to be built again.", hint="No note is affected. Try again shortly."
        )


class IndexNotWritten(Unavailable):
    """The disk refused; everything since the last commit is kept for the next one."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"The search index could not be written: {reason}.", hint="Check the disk's free space.")
