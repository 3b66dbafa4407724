import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sidecar.errors import Invalid, Unavailable
from sidecar.model.path import VaultPath
from sidecar.semantic import embedding as embedding_module
from sidecar.semantic import meaning as meaning_module
from sidecar.semantic.meaning import Meaning
from tests.semantic.builders import Shelf, WordModel

CEILING = 20


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> WordModel:
    small = WordModel()
    monkeypatch.setattr(embedding_module, "open_model", lambda _: small)
    monkeypatch.setattr(meaning_module, "_REST", 0.001)
    monkeypatch.setattr(meaning_module, "_BEFORE_RETRY", 0.01)
    return small


@pytest.fixture
def make(tmp_path: Path, model: WordModel) -> Iterator[Callable[..., Meaning]]:
    assert model.embedded == []
    made: list[Meaning] = []

    def make(shelf: Shelf, is_busy: Callable[[], bool] = lambda: False, name: str = "wordllama") -> Meaning:
        made.append(Meaning(tmp_path / "meaning", name, shelf, is_busy, first_rest=0, idle_share=0))
        return made[-1]

    yield make
    for meaning in made:
        meaning.close()


def found(meaning: Meaning, question: str) -> list[str]:
    return [passage.path for passage in meaning.nearest(question, 3, lambda _: True)]


def test_it_answers_when_it_has_settled_and_follows_events(make: Callable[..., Meaning]) -> None:
    shelf = Shelf({"Rain.md": "clouds", "Soil.md": "worms"})
    meaning = make(shelf)
    assert "files are to come" in str(meaning.missing)
    with pytest.raises(Unavailable, match="nothing is embedded yet"):
        meaning.nearest("clouds", 3, lambda _: True)
    meaning.start()
    assert meaning.settle(CEILING)
    assert meaning.missing is None
    assert found(meaning, "clouds")[0] == "Rain.md"
    assert [p.path for p in meaning.nearest("clouds", 3, lambda path: path != "Rain.md")] == ["Soil.md"]
    shelf.texts["Soil.md"] = "clouds"
    shelf.texts["Rain.md"] = "drops"
    meaning.look_again([VaultPath("Rain.md"), VaultPath("Soil.md")])
    assert meaning.settle(CEILING)
    assert found(meaning, "clouds")[0] == "Soil.md"
    progress = meaning.progress
    assert (progress.embedded, progress.left, progress.passages, progress.missing) == (2, 0, 2, None)


def test_an_empty_vault_has_no_passages_and_nothing_is_missing(make: Callable[..., Meaning]) -> None:
    meaning = make(Shelf())
    meaning.start()
    assert meaning.settle(CEILING)
    assert found(meaning, "anything") == []


def test_what_is_there_answers_while_the_rest_waits(make: Callable[..., Meaning], model: WordModel) -> None:
    shelf = Shelf({"Rain.md": "clouds"})
    meaning = make(shelf)
    meaning.start()
    assert meaning.settle(CEILING)
    goes_on, at_work = threading.Event(), threading.Event()

    def held_up() -> None:
        at_work.set()
        goes_on.wait(CEILING)

    model.before = held_up
    shelf.texts["More.md"] = "clouds clouds"
    meaning.look_again(None)
    assert at_work.wait(CEILING)
    assert meaning.missing is None
    assert found(meaning, "clouds") == ["Rain.md"]
    assert not meaning.settle(0)
    goes_on.set()
    assert meaning.settle(CEILING)
    assert set(found(meaning, "clouds")) == {"Rain.md", "More.md"}


def test_nothing_is_embedded_while_the_index_is_at_work(make: Callable[..., Meaning], model: WordModel) -> None:
    busy = threading.Event()
    busy.set()
    asked = threading.Semaphore(0)

    def is_busy() -> bool:
        asked.release()
        return busy.is_set()

    meaning = make(Shelf({"A.md": "one"}), is_busy)
    meaning.start()
    for _ in range(3):
        assert asked.acquire(timeout=CEILING)
    assert model.embedded == []
    busy.clear()
    assert meaning.settle(CEILING)
    assert len(model.embedded) == 1


def test_after_a_restart_it_answers_at_once_and_embeds_only_what_changed(
    make: Callable[..., Meaning], model: WordModel
) -> None:
    shelf = Shelf({"Rain.md": "clouds", "Soil.md": "worms"})
    first = make(shelf)
    first.start()
    assert first.settle(CEILING)
    first.close()
    model.embedded.clear()
    shelf.texts["Soil.md"] = "stones"
    second = make(shelf)
    assert found(second, "clouds")[0] == "Rain.md", "even before its thread has begun"
    second.start()
    assert second.settle(CEILING)
    assert model.embedded == ["Soil\nstones"]


def test_questions_from_many_threads_while_everything_changes(make: Callable[..., Meaning]) -> None:
    shelf = Shelf({f"{n}.md": f"clouds word{n}" for n in range(30)})
    meaning = make(shelf)
    meaning.start()
    assert meaning.settle(CEILING)
    faults: list[BaseException] = []
    done = threading.Event()

    def ask() -> None:
        try:
            while not done.is_set():
                passages = meaning.nearest("clouds", 50, lambda _: True)
                assert len({passage.path for passage in passages}) == len(passages) >= 15
                assert all(passage.line == 1 for passage in passages)
        except BaseException as fault:  # noqa: BLE001 - told below
            faults.append(fault)

    askers = [threading.Thread(target=ask) for _ in range(3)]
    for asker in askers:
        asker.start()
    for number in range(25):
        name = f"{number % 15}.md"
        if name in shelf.texts:
            del shelf.texts[name]
        else:
            shelf.texts[name] = f"clouds again{number}"
        meaning.look_again([VaultPath(name)])
        assert meaning.settle(CEILING)
    done.set()
    for asker in askers:
        asker.join(CEILING)
    assert faults == []


def test_a_fault_is_tried_again_and_its_words_stay_out_of_the_log(
    make: Callable[..., Meaning], model: WordModel, caplog: pytest.LogCaptureFixture
) -> None:
    failures = iter([ValueError("zqsecret text of a note")])

    def fail_once() -> None:
        for error in failures:
            raise error

    model.before = fail_once
    meaning = make(Shelf({"A.md": "one"}))
    meaning.start()
    assert meaning.settle(CEILING)
    assert found(meaning, "one") == ["A.md"]
    assert "ValueError" in caplog.text
    assert "zqsecret" not in caplog.text


def test_rules_that_nobody_can_read_stop_the_work_until_they_can(make: Callable[..., Meaning]) -> None:
    shelf = Shelf({"A.md": "one"})
    states, asked = shelf.states, threading.Semaphore(0)
    broken = threading.Event()
    broken.set()

    def unreadable(*arguments: object) -> object:
        asked.release()
        if broken.is_set():
            raise Invalid("malformed")
        return states(*arguments)  # type: ignore[arg-type]

    shelf.states = unreadable  # type: ignore[method-assign, assignment]
    meaning = make(shelf)
    meaning.start()
    for _ in range(2):
        assert asked.acquire(timeout=CEILING)
    assert shelf.read_paths == []
    broken.clear()
    assert meaning.settle(CEILING)
    assert shelf.read_paths == ["A.md"]


def test_it_ends_in_the_middle_of_the_work(make: Callable[..., Meaning], model: WordModel) -> None:
    meaning = make(Shelf({f"{n}.md": f"word{n}" for n in range(3000)}))
    at_work = threading.Event()
    model.before = at_work.set
    meaning.start()
    assert at_work.wait(CEILING)
    meaning.close()
    assert len(model.embedded) < 3000


def test_it_ends_while_it_rests(tmp_path: Path, model: WordModel) -> None:
    meaning = Meaning(tmp_path / "m", "wordllama", Shelf(), lambda: False, first_rest=3600)
    meaning.start()
    begin = time.monotonic()
    meaning.close()
    assert time.monotonic() - begin < CEILING
    assert model.embedded == []


@pytest.mark.parametrize(
    ("name", "why"),
    [("off", "switched off"), ("word2vec", "not one of: wordllama"), ("fastembed:small", "pip install fastembed")],
)
def test_why_there_is_none(
    make: Callable[..., Meaning], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, why: str
) -> None:
    monkeypatch.setattr("sidecar.semantic.offer.find_spec", lambda name: None if name == "fastembed" else name)
    meaning = make(Shelf({"A.md": "one"}), name=name)
    meaning.start()
    assert why in str(meaning.missing)
    assert meaning.progress.missing == meaning.missing
    assert meaning.missing_model == (None if name == "off" else meaning.missing)
    with pytest.raises(Unavailable, match=why):
        meaning.nearest("one", 3, lambda _: True)
    assert not (tmp_path / "meaning").exists()


def test_a_model_that_is_not_there_is_told_once_it_was_looked_for(
    tmp_path: Path,
) -> None:
    meaning = Meaning(tmp_path / "m", "model2vec:no/where", Shelf(), lambda: False)
    assert meaning.progress.missing is None
    assert "'model2vec:no/where' in config.toml is not on this machine" in str(meaning.missing)
    assert meaning.missing_model == meaning.missing == meaning.progress.missing


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, model: WordModel) -> None:
    (tmp_path / "file").write_text("")
    meaning = Meaning(tmp_path / "file/m", "wordllama", Shelf(), lambda: False)
    assert "folder for its vectors" in str(meaning.missing)
    assert model.embedded == []
