import json

from tests.conftest import Served


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


def test_nothing_found_is_an_empty_list(served: Served) -> None:
    assert json.loads(served.call("search", query="zzz").blocks[0])["results"] == []


def test_fetching_an_unknown_id_is_an_error(served: Served) -> None:
    assert served.call("fetch", id="nope").is_error
