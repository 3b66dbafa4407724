import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Served
from tests.tools.office import Office


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    made = Office(tmp_path)
    yield made
    made.close()


def test_search_then_fetch(served: Served) -> None:
    served.write("Notes/Alpha & co.md", "---\nstatus: open\n---\nalpha\n")
    (text,) = served.call("search", query="alpha").blocks
    found = json.loads(text)
    assert found == {
        "results": [
            {
                "id": "Notes/Alpha & co.md",
                "title": "Alpha & co",
                "url": "obsidian://open?vault=Vault&file=Notes%2FAlpha%20%26%20co",
            }
        ],
        "total_count": 1,
        "query": "alpha",
    }
    (text,) = served.call("fetch", id=found["results"][0]["id"]).blocks
    fetched = json.loads(text)
    assert (fetched["text"], fetched["metadata"]["status"]) == ("---\nstatus: open\n---\nalpha\n", "open")


def test_the_url_names_the_vault_as_obsidian_does_and_not_the_project(office: Office, tmp_path: Path) -> None:
    folder = tmp_path / "My Vault"
    folder.mkdir()
    (folder / "A.md").write_text("alpha", encoding="utf-8")
    office.projects.add(folder, name="main", default=True)
    url = "obsidian://open?vault=My%20Vault&file=A"
    assert json.loads(office.reply("search", query="alpha").blocks[0])["results"][0]["url"] == url
    assert json.loads(office.reply("fetch", id="A.md").blocks[0])["url"] == url


def test_nothing_found_is_an_empty_list(served: Served) -> None:
    assert json.loads(served.call("search", query="zzz").blocks[0])["results"] == []


def test_fetching_an_unknown_id_is_an_error(served: Served) -> None:
    assert served.call("fetch", id="nope").is_error
