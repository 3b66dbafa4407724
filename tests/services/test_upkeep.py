"""Pausing, going on and reading everything anew."""

import asyncio

from sidecar.config import AccessSettings, Settings
from sidecar.services.upkeep import WorkState
from tests.conftest import Served


def test_a_pause_holds_changes_from_outside_until_it_is_over(served: Served) -> None:
    served.write("A.md", "alpha")
    vault = served.open()
    upkeep, told = vault.services.upkeep, list[WorkState]()
    upkeep.subscribe(lambda _: told.append(upkeep.now.state))
    upkeep.pause(paused=True)
    served.write("B.md", "beta")
    vault.pipeline.reconcile()
    assert not vault.pipeline.settle(0.2)
    assert str(upkeep.now.state) == "paused"
    served.ok("write_note", title="C", directory="", content="gamma")
    assert served.found("gamma") == ["C.md"]
    upkeep.pause(paused=False)
    assert vault.pipeline.settle(10)
    assert served.found("beta") == ["B.md"]
    assert str(upkeep.now.state) == "ready"
    assert told[0] is WorkState.PAUSED
    assert told[-1] is WorkState.READY


def test_a_paused_vault_closes(served: Served) -> None:
    vault = served.open()
    vault.services.upkeep.pause(paused=True)
    served.write("B.md", "beta")
    vault.pipeline.reconcile()
    served.close()


def test_a_fault_is_told(served: Served) -> None:
    served.write("A.md", "alpha")
    vault = served.open()
    upkeep, told = vault.services.upkeep, list[WorkState]()
    upkeep.subscribe(lambda _: told.append(upkeep.now.state))
    vault.pipeline._failed("the disk is full")
    assert told[-1] is WorkState.ERROR
    assert upkeep.now.state is WorkState.ERROR


def test_rebuilding_puts_every_file_in_again_once(served: Served) -> None:
    for number in range(50):
        served.write(f"N{number}.md", f"word{number} all")
    vault = served.open()
    before = vault.services.status.look()
    asyncio.run(vault.services.upkeep.rebuild())
    vault.pipeline.settle()
    after = vault.services.status.look()
    assert after.generation > before.generation
    assert after.files == before.files
    assert len(served.found("all", page_size=100)) == 50
    assert served.found("word7") == ["N7.md"]


def test_a_rebuild_forgets_what_is_gone_and_keeps_denied_notes_out(guarded: Served) -> None:
    guarded.write("A.md", "alpha")
    guarded.write("Secret/S.md", "alpha")
    vault = guarded.open()
    asyncio.run(vault.services.upkeep.rebuild())
    (guarded.root / "A.md").unlink()
    vault.pipeline.settle()
    guarded.reindex()
    assert guarded.found("alpha") == []


def test_patterns_are_those_of_the_vault_and_of_the_settings(served: Served) -> None:
    served.settings = Settings(access=AccessSettings(deny=("X/",)))
    served.write(".mcpignore", "\ufeff# why\n\nA/\n  \nb*.md\n")
    upkeep = served.open().services.upkeep
    assert upkeep.patterns_of_vault() == ("A/", "b*.md")
    assert upkeep.access.deny == ("X/",)
    (served.root / ".mcpignore").unlink()
    assert upkeep.patterns_of_vault() == ()
