import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.catalog.permalink import permalink_of
from sidecar.model.path import VaultPath


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("Projects/My Great Idea.md", "projects/my-great-idea"),
        ("version-2.0.0.md", "version-2.0.0"),
        ("camelCaseName.md", "camel-case-name"),
        ("snake_case.md", "snake-case"),
        ("Don't & can’t.md", "dont-cant"),
        ("Café Übung/Straße.md", "cafe-ubung/strasse"),
        ("日本語ノート/ガ行.md", "日本語ノート/ガ行"),
        ("Привет мир.md", "привет-мир"),
        ("हिन्दी.md", "हिन्दी"),
        ("한국어.md", "한국어"),
        ("a -- b/ (c) .md", "a-b/c"),
        ("board.canvas", "board.canvas"),
        ("UPPER.MD", "upper"),
        ("😀 smile.md", "smile"),
    ],
)
def test_permalink_of(path: str, expected: str) -> None:
    assert permalink_of(VaultPath(path)) == expected


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=20))
def test_law_a_permalink_is_its_own_permalink(text: str) -> None:
    once = permalink_of(VaultPath(f"{text}.md"))
    assert permalink_of(VaultPath(f"{once}.md")) == once
