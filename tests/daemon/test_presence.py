import anyio

from sidecar.daemon.presence import Presence


def test_it_counts_and_tells_when_the_last_one_left() -> None:
    async def play() -> None:
        presence = Presence()
        await presence.drained()
        left = []

        async def wait() -> None:
            await presence.drained()
            left.append(presence.anyone)

        async with anyio.create_task_group() as tasks:
            with presence.visit():
                with presence.visit():
                    tasks.start_soon(wait)
                    await anyio.sleep(0.01)
                    assert presence.idle_seconds == 0
                await anyio.sleep(0.01)
                assert (presence.anyone, left) == (True, [])
        assert (presence.anyone, left) == (False, [False])
        assert presence.idle_seconds > 0

    anyio.run(play)
