from pathlib import Path

import pytest

from sidecar.errors import Refused
from sidecar.services.asked_path import in_vault

ROOT = Path("/srv/vaults/Mine")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a/b.md", "a/b.md"),
        (" a ", "a"),
        ("/", "/"),
        ("/nosuchplace/b.md", "/nosuchplace/b.md"),
        ("/usr/in the vault", "/usr/in the vault"),
        ("/srv/vaults/Mine/a/b.md", "a/b.md"),
        ("/srv/vaults/Mine/a/", "a/"),
        ("memory://a/b", "a/b"),
        ("memory://mine/a/b", "a/b"),
        ("memory://mine", "mine"),
        ("~draft", "~draft"),
        ("", ""),
    ],
)
def test_what_is_a_path_in_the_vault(text: str, expected: str) -> None:
    assert in_vault(text, ROOT, "Mine", lambda path: path == "usr") == expected


@pytest.mark.parametrize(
    "text", ["/etc/x.md", "/usr", "~/x.md", "~", "C:\\x.md", "D:/x", "\\\\host\\x", "file:///etc/x"]
)
def test_what_lies_elsewhere_on_the_machine(text: str) -> None:
    with pytest.raises(Refused) as error:
        in_vault(text, ROOT, "Mine", lambda _: False)
    assert text in error.value.message
