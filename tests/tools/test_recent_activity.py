import os
import time

from tests.conftest import Served


def test_newest_first_within_the_timeframe(served: Served) -> None:
    now = time.time()
    for name, days in (("Old", 30), ("Mid", 3), ("New", 0)):
        os.utime(served.write(f"{name}.md", "- [idea] fly #sky\n- part_of [[X]]\n"), (now - days * 86_400,) * 2)
    served.write("p.png", b"\x89PNG")
    page = served.ok("recent_activity")
    assert [i["file_path"] for i in page["items"]] == ["New.md", "Mid.md"]
    assert served.ok("recent_activity", timeframe="last year")["total"] == 3
    assert served.ok("recent_activity", since="24h")["total"] == 1
    lines = served.ok("recent_activity", type="observation,relation", timeframe="24h")["items"]
    assert [(i["type"], i["title"]) for i in lines] == [
        ("observation", "[idea] fly #sky"),
        ("relation", "New part_of [[X]]"),
    ]
    assert served.ok("recent_activity", page=2, page_size=1)["items"][0]["file_path"] == "Mid.md"


def test_a_bad_type_names_the_good_ones(served: Served) -> None:
    assert (
        "'entity', 'observation' or 'relation'" in served.fails("recent_activity", "invalid", type="bogus")["message"]
    )
