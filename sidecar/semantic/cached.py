"""Where a model's files are on this machine, and the only module that imports huggingface_hub."""

from pathlib import Path

__all__ = ["folder_of"]


def folder_of(name: str) -> Path:
    """Return the folder that ``name`` is, or that was downloaded under this name before; nothing is downloaded.

    Raises:
        OSError: when there is none.

    """
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder
    from huggingface_hub import snapshot_download  # noqa: PLC0415 - slow to load, and seldom needed

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except ValueError as error:
        raise FileNotFoundError(name) from error
