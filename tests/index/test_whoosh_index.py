import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from whoosh.filedb.filestore import FileStorage

from sidecar.errors import Unavailable
from sidecar.index.built import BuiltSegment
from sidecar.index.errors import IndexDamaged, IndexNotWritten
from sidecar.index.generation import SegmentRecord
from sidecar.index.pool import Pool
from sidecar.index.query import parse_query
from sidecar.index.segment_file import SegmentWriter
from sidecar.index.whoosh_index import WhooshIndex
from sidecar.model.path import VaultPath
from sidecar.model.search import Everything, SearchRequest, Term
from tests.index.builders import FakeScope, filled, found, note

CORPUS = (
    note("Alpha.md", "first letter, omega is the last", tags=["greek"], headings=["Uses of letters"]),
    note("Beta.md", "alpha comes before. Not a word about it.", aliases=["Second letter"], tags=["greek/early"]),
    note("Notes/Gamma.md", "alpha alpha alpha", title="Third of them", properties={"status": "done", "rank": 3}),
    note(
        "Notes/Star.md", "they watched star wars and then a war of stars", tags=["film"], properties={"status": "open"}
    ),
    note("Café.md", "Une crème brûlée, s'il vous plaît. Déjà vu."),
    note("日本.md", "この系統図は東京都の鉄道です。", aliases=["にほん"]),
    note("سلام.md", "السَّلامُ عليكم ورحمة الله"),
    note("עברית.md", "שָׁלוֹם עולם, this is Hebrew"),
    note("Plan.canvas", "Buy milk\n\nCall the plumber"),
    note("img/Photo of Oslo.png", ""),
)
SCOPE = FakeScope(CORPUS)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WhooshIndex]:
    index = filled(tmp_path_factory.mktemp("index"), CORPUS)
    yield index
    index.close()


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("letter", ["Alpha.md", "Beta.md"]),
        ("LETTER", ["Alpha.md", "Beta.md"]),
        ("alpha before", ["Beta.md"]),
        ("alpha nowhere", []),
        ("beta OR third", ["Beta.md", "Notes/Gamma.md"]),
        ("alpha omega OR milk plumber", ["Alpha.md", "Plan.canvas"]),
        ("alpha -before", ["Alpha.md", "Notes/Gamma.md"]),
        ("alpha NOT (before OR omega)", ["Notes/Gamma.md"]),
        ("-(alpha letter) tag:greek", []),
        ('"star wars"', ["Notes/Star.md"]),
        ('"wars star"', []),
        ("'star wars'", ["Notes/Star.md"]),
        ('"STAR, wars!"', ["Notes/Star.md"]),
        ("star-wars", ["Notes/Star.md"]),
        ("wars-star", []),
        ("tag:greek", ["Alpha.md", "Beta.md"]),
        ("tag:#greek/early", ["Beta.md"]),
        ("tag:film OR omega", ["Alpha.md", "Notes/Star.md"]),
        ("-tag:greek alpha", ["Notes/Gamma.md"]),
        ("tag:(film OR greek/early)", ["Beta.md", "Notes/Star.md"]),
        ("path:Notes", ["Notes/Gamma.md", "Notes/Star.md"]),
        ('path:"Photo of"', ["img/Photo of Oslo.png"]),
        ("status:done", ["Notes/Gamma.md"]),
        ("done", ["Notes/Gamma.md"]),
        ("gamma", ["Notes/Gamma.md"]),
        ("second", ["Beta.md"]),
        ("oslo", ["img/Photo of Oslo.png"]),
        ("photo.png", []),
        ('"photo of oslo.png"', ["img/Photo of Oslo.png"]),
        ("omeg", ["Alpha.md"]),
        ("omeg letter", []),
        ("omeg* letter", ["Alpha.md"]),
        ("watching", ["Notes/Star.md"]),
        ("watch", ["Notes/Star.md"]),
        ('"watch star"', []),
        ("creme brulee", ["Café.md"]),
        ('"crème brûlée"', ["Café.md"]),
        ('"creme brulee"', ["Café.md"]),
        ("cafe", ["Café.md"]),
        ("系統", ["日本.md"]),
        ("統", ["日本.md"]),
        ("系統図", ["日本.md"]),
        ("系図", []),
        ("鉄道 東京", ["日本.md"]),
        ('"東京都の鉄道"', ["日本.md"]),
        ("にほん", ["日本.md"]),
        ("السلام", ["سلام.md"]),
        ("שלום", ["עברית.md"]),
        ("שָׁלוֹם עולם", ["עברית.md"]),
        ("!!!", []),
        ("letter & omega", ["Alpha.md"]),
    ],
)
def test_queries_find_these_files(corpus: WhooshIndex, query: str, paths: list[str]) -> None:
    assert sorted(found(corpus, query, SCOPE)) == sorted(paths)


def test_empty_and_purely_negative_queries_begin_from_everything(corpus: WhooshIndex) -> None:
    every = sorted(file.path for file in CORPUS)
    assert found(corpus, "", SCOPE) == every
    assert found(corpus, "-alpha", SCOPE) == [p for p in every if p not in {"Alpha.md", "Beta.md", "Notes/Gamma.md"}]


@pytest.mark.parametrize(
    "query",
    ["alpha omega", "系統", "統", "creme brulee", "run", '"crème brûlée"', "ALPHA OMEGA", "here far"],
)
def test_c21_words_apart_accents_and_other_scripts(tmp_path: Path, query: str) -> None:
    body = "alpha one two three. The 系統 is here.\n\nfar away omega crème brûlée running\n"
    index = filled(tmp_path, [note("S.md", body), note("Other.md", "nothing")])
    assert found(index, query) == ["S.md"]
    assert found(index, "omega -alpha") == []
    index.close()


def test_title_beats_alias_beats_heading_beats_body(tmp_path: Path) -> None:
    filler = "some other words in the text " * 3
    index = filled(
        tmp_path,
        [
            note("1.md", f"zebra {filler}"),
            note("2.md", filler, headings=["About the zebra"]),
            note("3.md", filler, aliases=["A zebra"]),
            note("4.md", filler, title="The zebra"),
        ],
    )
    assert found(index, "zebra") == ["4.md", "3.md", "2.md", "1.md"]
    assert found(index, "zebra", titles_only=True) == ["4.md", "3.md"]
    index.close()


def test_the_word_itself_beats_its_other_forms_and_what_it_begins(tmp_path: Path) -> None:
    index = filled(
        tmp_path, [note("a.md", "planetary motion"), note("b.md", "planning ahead"), note("c.md", "plan it now")]
    )
    assert found(index, "plan") == ["c.md", "b.md", "a.md"]
    assert found(index, "plan now") == ["c.md"]
    assert found(index, "plans") == ["c.md", "b.md"] or found(index, "plans") == ["b.md", "c.md"]
    index.close()


def test_a_word_that_is_another_words_stem_by_chance_is_not_found(tmp_path: Path) -> None:
    index = filled(tmp_path, [note("a.md", "accelerate"), note("b.md", "acceler")])
    assert found(index, '"x" OR accelerated -zzz') == ["a.md"]
    index.close()


def test_phrases_do_not_reach_from_one_heading_or_alias_into_the_next(tmp_path: Path) -> None:
    index = filled(tmp_path, [note("a.md", aliases=["one two", "three"], headings=["red green", "blue"])])
    assert found(index, '"two three"') == found(index, '"green blue"') == []
    assert found(index, '"one two"') == found(index, '"red green"') == ["a.md"]
    index.close()


def test_equal_scores_stand_in_the_order_of_paths_and_pages_follow_one_another(tmp_path: Path) -> None:
    names = [f"{letter}{n}.md" for letter in "cab" for n in range(5)]
    index = WhooshIndex(tmp_path)
    for name in names:
        index.put(note(name, "same", title="same"))
        index.commit()
    pages = [index.search(SearchRequest(Term("same"), offset=at, limit=4), FakeScope()) for at in range(0, 20, 4)]
    assert {page.total for page in pages} == {15}
    assert [[hit.path for hit in page.hits] for page in pages] == [
        sorted(names)[:4], sorted(names)[4:8], sorted(names)[8:12], sorted(names)[12:], []
    ]  # fmt: skip
    index.close()


def test_the_scope_decides_what_may_be_found(corpus: WhooshIndex) -> None:
    only = FakeScope(CORPUS, ["Beta.md", "Notes/Gamma.md", "Gone.md"])
    assert sorted(found(corpus, "alpha", only)) == ["Beta.md", "Notes/Gamma.md"]
    assert found(corpus, "-alpha", only) == []


def test_changes_are_found_after_the_commit_and_not_before(tmp_path: Path) -> None:
    index = filled(tmp_path, [note("a.md", "old")])
    index.put(note("a.md", "new"))
    index.put(note("b.md", "new"))
    assert (found(index, "old"), found(index, "new")) == (["a.md"], [])
    assert index.paths_held() == {"a.md", "b.md"}
    index.commit()
    assert (found(index, "old"), found(index, "new")) == ([], ["a.md", "b.md"])
    index.remove(VaultPath("a.md"))
    index.remove(VaultPath("never there.md"))
    assert index.paths_held() == {"b.md"}
    index.commit()
    assert found(index, "new") == ["b.md"]
    index.close()


def test_a_file_put_twice_between_commits_is_there_once(tmp_path: Path) -> None:
    index = filled(tmp_path, [note("a.md", "word one"), note("a.md", "word two")])
    assert found(index, "word") == ["a.md"]
    assert found(index, "one") == []
    index.remove(VaultPath("a.md"))
    index.put(note("a.md", "word three"))
    index.commit()
    assert (found(index, "word"), found(index, "three")) == (["a.md"], ["a.md"])
    index.close()


def test_a_large_batch_is_committed_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sidecar.index.fresh._POOL_SIZE", 2000)
    index = WhooshIndex(tmp_path)
    for n in range(10):
        index.put(note(f"{n}.md", "word " * 10))
    assert 2 < len(found(index, "word")) < 10
    index.commit()
    assert len(found(index, "word")) == 10
    index.close()


def test_an_index_opens_as_it_was_left(tmp_path: Path) -> None:
    first = WhooshIndex(tmp_path)
    assert first.rebuilt
    first.close()
    filled(tmp_path, CORPUS).close()
    again = WhooshIndex(tmp_path)
    assert not again.rebuilt
    assert again.paths_held() == {file.path for file in CORPUS}
    assert found(again, '"star wars"', SCOPE) == ["Notes/Star.md"]
    again.put(note("Beta.md", "changed"))
    again.commit()
    assert found(again, "alpha", SCOPE) == ["Alpha.md", "Notes/Gamma.md"]
    again.close()


def test_names_that_no_encoding_can_hold_are_kept(tmp_path: Path) -> None:
    strange = "caf\udce9 \ud83d.md"
    index = filled(tmp_path, [note(strange, "text with \ud83d half a character")])
    assert found(index, "half") == [strange]
    index.close()


def test_a_file_without_words_can_be_held(tmp_path: Path) -> None:
    index = filled(tmp_path, [note("!!!.md", "...")])
    assert found(index, "") == ["!!!.md"]
    index.close()


def test_an_older_form_is_built_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(tmp_path, CORPUS).close()
    monkeypatch.setattr("sidecar.index.whoosh_index._FORM", "next")
    index = WhooshIndex(tmp_path)
    assert index.rebuilt
    assert index.paths_held() == frozenset()
    index.close()


def _index_files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.is_file() and not file.name.endswith("LOCK"))


def tidied(index: WhooshIndex) -> int:
    """Do all that is left for idle time; return in how many pieces."""
    pieces = 0
    while index.merge_small():
        pieces += 1
    return pieces


# Whoosh leaves the files it had opened before it met the damage to the garbage collector.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("harm", ["empty", "short", "noise", "gone"])
def test_a_damaged_file_means_an_empty_index_and_no_error(tmp_path: Path, harm: str) -> None:
    filled(tmp_path / "whole", CORPUS).close()
    names = [file.name for file in _index_files(tmp_path / "whole")]
    assert len(names) == 3
    for n in range(len(names)):
        folder = tmp_path / f"{harm}{n}"
        filled(folder, CORPUS).close()
        file = _index_files(folder)[n]
        data = file.read_bytes()
        if harm == "gone":
            file.unlink()
        else:
            file.write_bytes({"empty": b"", "short": data[: len(data) // 2], "noise": os.urandom(len(data))}[harm])
            os.utime(file, ns=(1, 1))
        index = WhooshIndex(folder)
        if harm != "gone" or index.rebuilt:
            assert index.rebuilt
            assert index.paths_held() == frozenset()
        index.put(note("Fresh.md", "fresh start"))
        index.commit()
        assert found(index, "fresh") == ["Fresh.md"]
        index.close()


def test_damage_found_by_a_search_is_told_and_mended_by_the_next_commit(tmp_path: Path) -> None:
    index = filled(tmp_path, CORPUS)
    index.close()
    for file in tmp_path.glob("*.seg"):
        file.write_bytes(b"x" * file.stat().st_size)
    with pytest.raises(IndexDamaged):
        found(index, "alpha")
    assert index.paths_held() == frozenset()
    for file_ in CORPUS:
        index.put(file_)
    index.commit()
    assert index.rebuilt
    assert sorted(found(index, "alpha")) == ["Alpha.md", "Beta.md", "Notes/Gamma.md"]
    index.close()


def test_damage_seen_by_nobody_is_found_while_idle_and_answers_keep_coming(tmp_path: Path) -> None:
    filled(tmp_path, CORPUS).close()
    file = next(tmp_path.glob("*.seg"))
    times, data = file.stat(), bytearray(file.read_bytes())
    data[len(data) // 3] ^= 1
    file.write_bytes(data)
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    index = WhooshIndex(tmp_path)
    assert not index.rebuilt
    assert index.paths_held() == {file.path for file in CORPUS}
    with pytest.raises(IndexDamaged):
        tidied(index)
    assert index.paths_held() == frozenset()
    assert sorted(found(index, "-nowhere")) == sorted(file.path for file in CORPUS)
    for changed in CORPUS:
        index.put(changed)
    index.commit()
    assert (index.rebuilt, tidied(index)) == (True, 0)
    assert found(index, "omega") == ["Alpha.md"]
    index.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = filled(tmp_path, [note("a.md", "word")])
    before = {file.name for file in tmp_path.iterdir()}

    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    for owner, step in ((os, "fsync"), (FileStorage, "create_file"), (SegmentWriter, "add")):
        index.put(note("b.md", "word"))
        with monkeypatch.context() as patched:
            patched.setattr(owner, step, refuse)
            with pytest.raises(IndexNotWritten, match="No space left"):
                index.commit()
        assert found(index, "word") == ["a.md"]
    assert {f.name for f in tmp_path.iterdir() if f.suffix in {".seg", ".toc"}} <= before
    index.commit()
    assert found(index, "word") == ["a.md", "b.md"]
    index.close()


def test_a_merge_that_finds_damage_is_told_and_mended_by_the_next_commit(tmp_path: Path) -> None:
    index = WhooshIndex(tmp_path)
    for n in range(9):
        index.put(note(f"{n}.md", "word"))
        index.commit()
    next(iter(tmp_path.glob("*.seg"))).write_bytes(b"")
    with pytest.raises(IndexDamaged):
        tidied(index)
    assert not index.merge_small()
    index.put(note("a.md", "word"))
    index.commit()
    assert found(index, "word") == ["a.md"]
    index.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_merge_that_misses_a_file_is_told_too(tmp_path: Path) -> None:
    index = WhooshIndex(tmp_path)
    for n in range(9):
        index.put(note(f"{n}.md", "word"))
        index.commit()
    next(iter(tmp_path.glob("*.seg"))).unlink()
    with pytest.raises(IndexDamaged):
        tidied(index)
    with pytest.raises(IndexDamaged):
        found(index, "word")
    index.commit()
    assert index.rebuilt
    assert found(index, "") == []
    index.close()


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(IndexNotWritten):
        WhooshIndex(tmp_path / "file" / "index")


def test_a_second_writer_is_noticed(tmp_path: Path) -> None:
    ours = filled(tmp_path, [note("a.md", "word")])
    theirs = WhooshIndex(tmp_path)
    theirs.put(note("b.md", "word"))
    theirs.commit()
    theirs.close()
    ours.put(note("c.md", "word"))
    with pytest.raises(IndexDamaged):
        ours.commit()
    ours.commit()
    assert ours.rebuilt
    assert ours.paths_held() == {"c.md"}
    assert found(ours, "word") == ["c.md"]
    ours.close()


def test_a_writer_at_work_elsewhere_is_waited_for_by_the_caller(tmp_path: Path) -> None:
    index = filled(tmp_path, [])
    lock = FileStorage(str(tmp_path)).lock("MAIN_WRITELOCK")
    assert lock.acquire()
    index.put(note("a.md", "word"))
    with pytest.raises(Unavailable, match="another process"):
        index.commit()
    lock.release()
    index.commit()
    assert found(index, "word") == ["a.md"]
    index.close()


def test_small_segments_are_merged_when_there_are_many(tmp_path: Path) -> None:
    index = WhooshIndex(tmp_path)
    for n in range(12):
        index.put(note(f"{n:02}.md", f"word number{n}", tags=["t"]))
        index.commit()
        assert not (n < 8 and index.merge_small())
    index.remove(VaultPath("03.md"))
    index.put(note("05.md", "word again", tags=["t"]))
    index.commit()
    expected = [f"{n:02}.md" for n in range(12) if n != 3]
    assert sorted(found(index, "word")) == expected
    assert len(list(tmp_path.glob("*.seg"))) > 8
    assert tidied(index) > 0
    assert len(list(tmp_path.glob("*.seg"))) == 1
    assert sorted(found(index, "word")) == expected
    assert (found(index, "number5"), found(index, "again"), found(index, "number7")) == ([], ["05.md"], ["07.md"])
    assert sorted(found(index, "word -number7", FakeScope(CORPUS))) == [p for p in expected if p != "07.md"]
    index.put(note("05.md", "other"))
    index.commit()
    index.close()
    again = WhooshIndex(tmp_path)
    assert not again.rebuilt
    assert again.paths_held() == set(expected)
    assert found(again, "again") == []
    again.close()


def test_searches_go_on_while_the_writer_commits_and_merges(tmp_path: Path) -> None:
    index = filled(tmp_path, [note(f"still {n}.md", "steady") for n in range(20)])
    stop, faults, rounds = threading.Event(), [], 0

    def search() -> None:
        nonlocal rounds
        while not stop.is_set():
            try:
                steady, turned = found(index, "steady"), found(index, "turning")
            except Exception as error:  # noqa: BLE001 - whatever it is, the test shows it
                faults.append(repr(error))
                return
            if len(steady) != 20 or len(turned) > 1:
                faults.append(f"{len(steady)} steady, {len(turned)} turning")
            rounds += 1

    thread = threading.Thread(target=search)
    thread.start()
    for n in range(30):
        index.put(note("changing.md", f"turning {n}"))
        index.commit()
        tidied(index)
    stop.set()
    thread.join()
    assert faults == []
    assert rounds > 5
    index.close()


def test_a_segment_without_files_is_dropped(tmp_path: Path) -> None:
    index = filled(tmp_path, [note("a.md", "word"), note("b.md", "word")])
    for name in ("a.md", "b.md"):
        assert len(list(tmp_path.glob("*.seg"))) == 1
        index.remove(VaultPath(name))
        index.commit()
    assert list(tmp_path.glob("*.seg")) == []
    assert found(index, "") == []
    index.close()


def test_commit_without_changes_writes_nothing(tmp_path: Path) -> None:
    index = filled(tmp_path, [note("a.md", "word")])
    before = {file.name: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    index.commit()
    assert {file.name: file.stat().st_mtime_ns for file in tmp_path.iterdir()} == before
    assert index.search(SearchRequest(Everything(), limit=0), FakeScope()).total == 1
    assert index.search(SearchRequest(parse_query("word"), offset=5), FakeScope()).hits == ()
    index.close()


def test_a_segment_made_elsewhere_takes_the_place_of_older_files_and_yields_to_newer(tmp_path: Path) -> None:
    index = filled(tmp_path / "index", [note("a.md", "word old"), note("b.md", "word")])
    pool = Pool()
    for name in ("a.md", "c.md", "d.md", "e.md"):
        pool.add(note(name, "word built"))
    built = tmp_path / "elsewhere"
    built.mkdir()
    pool.write(built, "MAIN_x")
    index.expect(pool.paths)
    assert index.paths_held() == {"a.md", "b.md", "c.md", "d.md", "e.md"}
    index.put(note("c.md", "word newer"))
    index.remove(VaultPath("d.md"))
    index.commit()
    index.put(note("e.md", "word newest"))
    assert [index.expects(path) for path in pool.paths] == [True, False, False, False]
    index.adopt(BuiltSegment(built, SegmentRecord("MAIN_x", 4, pool.totals), tuple(pool.paths)))
    assert list(built.iterdir()) == []
    assert (found(index, "built"), sorted(found(index, "word"))) == (["a.md"], ["a.md", "b.md", "c.md"])
    index.commit()
    assert sorted(found(index, "word")) == ["a.md", "b.md", "c.md", "e.md"]
    assert not any(map(index.expects, pool.paths))
    index.close()
    again = WhooshIndex(tmp_path / "index")
    assert sorted(found(again, "word")) == ["a.md", "b.md", "c.md", "e.md"]
    again.close()


def test_a_segment_that_cannot_be_taken_stays_where_it_is(tmp_path: Path) -> None:
    index = filled(tmp_path / "index", [note("b.md", "word")])
    built = BuiltSegment(tmp_path, SegmentRecord("MAIN_gone", 1, {}), (VaultPath("a.md"),))
    index.expect(built.paths)
    index.expect_no_more(built.paths)
    assert index.paths_held() == {"b.md"}
    with pytest.raises(IndexDamaged):
        index.adopt(built)
    with pytest.raises(IndexDamaged):
        index.adopt(built)
    assert index.paths_held() == frozenset()
    index.close()
