import sys
from pathlib import Path

import pytest

from sidecar.errors import Invalid
from sidecar.given_folder import given_folder


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "My Vault"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("form", ["{}", "{}/", "{}\\", '"{}"', "'{}'", "  {}  ", "{}\n", "file://{}"])
def test_c29_the_folder_that_was_meant_is_found(vault: Path, form: str) -> None:
    given = form.format(str(vault).replace(" ", "%20") if form.startswith("file") else vault)
    assert given_folder(given) == vault


def test_c29_the_home_folder(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(vault.parent))
    monkeypatch.setenv("USERPROFILE", str(vault.parent))
    assert given_folder("~/My Vault") == vault


def test_c29_a_relative_path(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(vault.parent)
    assert given_folder("My Vault") == vault


@pytest.mark.skipif(sys.platform == "win32", reason="there it is a folder like any other")
@pytest.mark.parametrize("given", ["C:\\Users\\x\\My Vault\\", "~nobody-of-that-name/x", "a\0b", ""])
def test_c29_what_is_no_folder_is_named(given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    if given:
        with pytest.raises(Invalid) as raised:
            given_folder(given)
        assert given in raised.value.message
    else:
        assert given_folder(given) == tmp_path


def test_c29_the_nearest_folder_above_is_named(vault: Path) -> None:
    with pytest.raises(Invalid) as raised:
        given_folder(vault / "Notse" / "x")
    assert f"'{vault}'" in (raised.value.hint or "")


def test_c29_a_name_that_really_ends_so_comes_first(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("no such names there")
    odd = tmp_path / "odd\\"
    odd.mkdir()
    (tmp_path / "odd").mkdir()
    assert given_folder(str(odd)) == odd
