import json

from tests.conftest import Served


def test_what_is_on_is_said_and_no_secret(served: Served) -> None:
    run = served.state.make(served.state.run)
    (run / "http-token").write_text("hush")
    told = served.ok("cloud_info")
    assert (told["http"]["on"], told["http"]["url"], told["sync"]) == (False, None, [])
    assert "off now" in served.call("cloud_info").blocks[0]
    (run / "endpoint.json").write_text(json.dumps({"port": 27125, "token": "hush"}))
    (served.root / ".git").mkdir()
    told = served.ok("cloud_info")
    assert told["http"] == {"on": True, "url": "http://127.0.0.1:27125/mcp", "token_file": str(run / "http-token")}
    assert [way["name"] for way in told["sync"]] == ["git"]
    (text,) = served.call("cloud_info").blocks
    assert "27125/mcp" in text
    assert "- git: " in text
    assert "hush" not in text + str(told)


def test_an_endpoint_without_http_is_off(served: Served) -> None:
    (served.state.make(served.state.run) / "endpoint.json").write_text(json.dumps({"port": None}))
    assert served.ok("cloud_info")["http"]["on"] is False
