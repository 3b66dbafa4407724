import time

import pytest

from sidecar.model.path import VaultPath
from sidecar.parse.encrypted import Encrypted, check_edit, check_not_encrypted, encrypted_parts, is_encrypted
from sidecar.parse.note import parse_note

CIPHER = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ+/8="
HEAD = "---\ntags: [plain]\n---\n"
ARMOUR = f"-----BEGIN PGP MESSAGE-----\n\n{CIPHER}\n=abcd\n-----END PGP MESSAGE-----"

WHOLE = [
    f"%%\U0001f510β {CIPHER} \U0001f510%%",
    f"\U0001f510α \U0001f4a1my #hint\U0001f4a1{CIPHER} \U0001f510\n",
    f"%%\U0001f510 {CIPHER} \U0001f510%%\n\n\U0001f510β {CIPHER} \U0001f510",
    f'{{\n  "version": "1.0",\n  "hint": "#hint",\n  "encodedData": "{CIPHER}{CIPHER}"\n}}',
    ARMOUR,
    ARMOUR.replace("\n", "\r\n"),
    f"-----BEGIN AGE ENCRYPTED FILE-----\n{CIPHER}\n-----END AGE ENCRYPTED FILE-----\n",
    f"```encrypted\n{CIPHER}\n```\n",
    f"````age\n{CIPHER}\n````",
]


@pytest.mark.parametrize("head", ["", HEAD])
@pytest.mark.parametrize("body", WHOLE)
def test_of_an_encrypted_note_only_name_and_properties_are_read(body: str, head: str) -> None:
    assert is_encrypted(head + body)
    note = parse_note(VaultPath("Diary.md"), head + body)
    assert note.body.strip() == ""
    assert note.title == "Diary"
    assert [tag.name for tag in note.tags] == (["plain"] if head else [])
    assert (note.links, note.headings, note.tasks) == ((), (), ())
    with pytest.raises(Encrypted, match=r"'Diary\.md' is encrypted"):
        check_not_encrypted("Diary.md", head + body)
    with pytest.raises(Encrypted):
        check_edit("Diary.md", head + body, head + body + "\nmore")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "---\na: 1\n---\n",
        "\U0001f510 Keys and \U0001f510 locks",
        "## \U0001f510 Security\n\ntext\n\n## \U0001f510 More",
        "-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----",
        "-----BEGIN PGP MESSAGE-----\nnever ends",
        "```python\nprint()\n```",
        "```agenda\nx\n```",
        '{"encodedData": "short"}',
    ],
)
def test_a_plain_note_is_not_taken_for_an_encrypted_one(text: str) -> None:
    assert not is_encrypted(text)
    assert encrypted_parts(text) == ()
    check_edit("N.md", text, "other")


PART = f"%%\U0001f510β {CIPHER} \U0001f510%%"
MIXED = f"# A\n\nbefore {PART} after\n\n## B\n\n{ARMOUR}\n"


def test_a_note_with_encrypted_parts_is_searched_without_them() -> None:
    note = parse_note(VaultPath("N.md"), MIXED)
    assert len(note.body) == len(MIXED)
    assert note.body.split() == ["#", "A", "before", "after", "##", "B"]
    assert [heading.text for heading in note.headings] == ["A", "B"]


@pytest.mark.parametrize(
    ("after", "is_allowed"),
    [
        (MIXED + "more\n", True),
        (MIXED.replace("before", "earlier"), True),
        (MIXED + PART, False),
        (MIXED.replace(PART, ""), False),
        (MIXED.replace("q83v", "Q83v", 1), False),
        (f"{ARMOUR}\n{PART}\n", False),
        ("# A\n", False),
    ],
)
def test_an_edit_may_only_change_what_is_plain(after: str, is_allowed: bool) -> None:
    if is_allowed:
        check_edit("N.md", MIXED, after)
    else:
        with pytest.raises(Encrypted, match="encrypted part"):
            check_edit("N.md", MIXED, after)


@pytest.mark.parametrize(
    "unit",
    ["-----BEGIN PGP MESSAGE-----\nx\n", "```age\nx\n", "```age\n```x\n", "\U0001f510 aaaaaaaaaaaaaaaaaaaa\n",
     '{"a":"b","c":"d",', '{\n"encodedData"', "%%\U0001f510β \U0001f4a1"],
)  # fmt: skip
def test_looking_for_ciphertext_takes_linear_time(unit: str) -> None:
    def cpu(text: str) -> float:
        begun = time.process_time()
        encrypted_parts(text)
        return time.process_time() - begun

    once = unit * (40_000 // len(unit))
    assert min(cpu(once + once) for _ in range(3)) <= 3 * min(cpu(once) for _ in range(3)) + 0.02
