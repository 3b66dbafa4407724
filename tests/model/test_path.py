import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.errors import Invalid, Refused
from sidecar.model.path import VaultPath, check_new_path, file_name_from_title


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("a/b.md", "a/b.md"),
        ("/a//b.md/", "a/b.md"),
        ("\\a\\b", "a/b"),
        ("./a", "a"),
        ("/", ""),
        ("", ""),
        (".", ""),
        ("a\u00a0b\u202fc", "a b c"),
        ("Cafe\u0301", "Café"),
    ],
)
def test_a2_paths_are_normalised(text: str, path: str) -> None:
    assert VaultPath.of(text) == path


@pytest.mark.parametrize(
    "text", ["..", "../x", "a/../b", "a/..", "\\..\\x", "/..", ".obsidian/app.json", "a/.x.md", ".trash"]
)
def test_a3_outside_and_hidden_paths_are_refused(text: str) -> None:
    with pytest.raises(Refused):
        VaultPath.of(text)


@pytest.mark.parametrize(
    ("path", "name", "basename", "extension", "folder"),
    [
        ("Archive.tar.gz", "Archive.tar.gz", "Archive.tar", "gz", ""),
        ("a/B.MD", "B.MD", "B", "md", "a"),
        ("a/b/plain", "plain", "plain", "", "a/b"),
    ],
)
def test_a1_parts(path: str, name: str, basename: str, extension: str, folder: str) -> None:
    p = VaultPath(path)
    assert (p.name, p.basename, p.extension, p.folder) == (name, basename, extension, folder)


@pytest.mark.parametrize("path", ["a*b.md", 'a"b.md', "a:b.md", "a|b.md", "a?b.md", "a<b.md", "a\tb.md"])
def test_f1_names_obsidian_refuses(path: str) -> None:
    with pytest.raises(Invalid):
        check_new_path(VaultPath(path))


@pytest.mark.parametrize("path", ["a#b.md", "a^b.md", "a[b.md", "a]b.md", "a%%b.md"])
def test_f2_names_that_break_links(path: str) -> None:
    with pytest.raises(Invalid):
        check_new_path(VaultPath(path))


@pytest.mark.parametrize("path", ["con.md", "NUL", "x/lpt1.md", "end .", "dot./x.md", ".hidden.md", " /x.md"])
def test_f3_names_windows_refuses(path: str) -> None:
    with pytest.raises(Invalid):
        check_new_path(VaultPath(path))


def test_f4_names_are_limited_in_bytes() -> None:
    check_new_path(VaultPath("é" * 126 + ".md"))
    with pytest.raises(Invalid):
        check_new_path(VaultPath("é" * 127 + ".md"))


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Plain", "Plain"),
        ("a/b: c?", "a-b- c-"),
        ("#1 [draft] ^x", "1 draft x"),
        ("50%% off", "50 off"),
        ("  spaced  out. ", "spaced out"),
        ("Con", "Con note"),
        ("v1.2", "v1.2"),
        ("落ち葉", "落ち葉"),
    ],
)
def test_file_name_from_title(title: str, name: str) -> None:
    assert file_name_from_title(title) == name


@pytest.mark.parametrize("title", ["", "   ", "***", "...", "[]"])
def test_a_title_of_nothing_is_refused(title: str) -> None:
    with pytest.raises(Invalid):
        file_name_from_title(title)


@given(st.text(max_size=400))
def test_a_name_made_of_a_title_may_always_be_created(title: str) -> None:
    try:
        name = file_name_from_title(title)
    except Invalid:
        return
    check_new_path(VaultPath.of(name + ".md"))
    check_new_path(VaultPath.of(name + ".canvas"))


@given(st.text(max_size=60))
def test_normalising_twice_is_normalising_once(text: str) -> None:
    try:
        once = VaultPath.of(text)
    except Refused:
        return
    assert VaultPath.of(once) == once
