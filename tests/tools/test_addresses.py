"""An address is read as it was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.errors import Refused
from sidecar.model.path import VaultPath
from sidecar.services.watching import Subject, SubjectKind
from sidecar.tools.addresses import Address, address_of

NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


def _path(text: str) -> str:
    try:
        return VaultPath.of(text)
    except Refused:
        return ""


@given(NAMES, NAMES.map(_path), st.sampled_from([SubjectKind.NOTE, SubjectKind.FOLDER]))
def test_paths_come_back(project: str, path: str, kind: SubjectKind) -> None:
    address = Address(project, Subject(kind, path))
    assert address_of(str(address)) == address


@given(NAMES, NAMES.map(str.strip), st.sampled_from([SubjectKind.TAG, SubjectKind.SEARCH]))
def test_tags_and_queries_come_back(project: str, text: str, kind: SubjectKind) -> None:
    address = Address(project, Subject(kind, text))
    assert address_of(str(address)) == address
    assert str(address).count("/") == 3


@pytest.mark.parametrize(
    ("uri", "project", "kind", "text"),
    [
        ("note://My%20Vault/A/B.md", "My Vault", SubjectKind.NOTE, "A/B.md"),
        ("NOTE://v/A/", "v", SubjectKind.NOTE, "A"),
        ("note://v/50%25 #1?.md", "v", SubjectKind.NOTE, "50% #1?.md"),
        ("folder://v", "v", SubjectKind.FOLDER, ""),
        ("tag://v/a%2Fb", "v", SubjectKind.TAG, "a/b"),
        ("search://v/%22a%20b%22", "v", SubjectKind.SEARCH, '"a b"'),
    ],
)
def test_what_clients_write(uri: str, project: str, kind: SubjectKind, text: str) -> None:
    assert address_of(uri) == Address(project, Subject(kind, text))


@pytest.mark.parametrize("uri", ["", "note:", "note://", "note:///x", "list://v/x", "memory://v/x", "v/x.md"])
def test_what_is_no_address(uri: str) -> None:
    assert address_of(uri) is None


@pytest.mark.parametrize("uri", ["note://v/../x", "note://v/%2e%2e/x", "folder://v/.obsidian"])
def test_what_leads_out_is_refused(uri: str) -> None:
    with pytest.raises(Refused):
        address_of(uri)
