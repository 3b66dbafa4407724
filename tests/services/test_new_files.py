import pytest

from sidecar.model.path import VaultPath
from sidecar.services.new_files import path_of_new_file
from sidecar.vault.obsidian_settings import NewFileLocation, ObsidianSettings


@pytest.mark.parametrize(
    ("location", "linkpath", "expected"),
    [
        (NewFileLocation.ROOT, "x", "x.md"),
        (NewFileLocation.CURRENT, "x", "n/x.md"),
        (NewFileLocation.FOLDER, "x", "In/box/x.md"),
        (NewFileLocation.FOLDER, "a/x", "a/x.md"),
        (NewFileLocation.FOLDER, "../x", "x.md"),
        (NewFileLocation.FOLDER, "x.canvas", "In/box/x.canvas"),
        (NewFileLocation.ROOT, ".hidden", None),
        (NewFileLocation.ROOT, "a/.b/x", None),
    ],
)
def test_r17_a_new_file_comes_where_the_settings_say(
    location: NewFileLocation, linkpath: str, expected: str | None
) -> None:
    settings = ObsidianSettings(new_file_location=location, new_file_folder="In/box")
    assert path_of_new_file(settings, linkpath, VaultPath("n/s.md")) == expected
