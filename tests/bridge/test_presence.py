"""A client is present while its connection is, whatever it asked to wait."""

import anyio
from starlette.types import Message

from tests.bridge.bridges import KEY, Bridge


def test_a_client_that_closes_its_connection_waits_no_longer(bridge: Bridge) -> None:
    vault = bridge.vault
    sent: list[Message] = []

    async def play() -> None:
        gone = anyio.Event()
        messages = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def receive() -> Message:
            first = next(messages, None)
            if first is None:
                await gone.wait()
                return {"type": "http.disconnect"}
            return first

        async def send(message: Message) -> None:
            sent.append(message)

        query = f"vault={KEY}&after={vault.events.cursor}&wait=25&client=me"
        scope = {
            "type": "http", "method": "GET", "path": "/v1/events", "raw_path": b"/v1/events", "headers": [],
            "query_string": query.encode(), "root_path": "", "scheme": "http", "server": ("127.0.0.1", 1), "http_version": "1.1",
        }  # fmt: skip
        with anyio.fail_after(10):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(bridge.app, scope, receive, send)
                while not vault.polls.is_present("me"):  # noqa: ASYNC110 - the app tells nobody when it begins
                    await anyio.sleep(0.01)
                assert vault.polls.seconds_away("me") == 0
                gone.set()
        assert vault.polls.seconds_away("me") > 0

    anyio.run(play)
