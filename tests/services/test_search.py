"""What a search finds is what a naive reading of the files finds, whatever operators stand in it (S1-S11)."""

import asyncio
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sidecar.app import OpenVault, open_vault
from sidecar.config import Settings, StateFolder
from sidecar.model.change import Author
from sidecar.model.path import VaultPath
from sidecar.services.asked import Asked as Said
from sidecar.services.caller import Audience, Caller
from sidecar.services.search import SearchResults
from sidecar.vault.glance import Glance
from tests.conftest import Served

AGENT = Caller(Author("test", "s"), Audience.AGENT)
WORDS = ["alpha", "Alpha", "bravo", "tango", "zulu"]
"""None begins another, none shares its stem with another."""
FOLDERS = ["", "Alpha", "Deep/Zulu tango"]
NUMBERS = ["3", "7.5", "20"]


@dataclass
class Block:
    """A paragraph, heading, list item, task or block of code; ``said`` is a task's text behind its checkbox."""

    lines: list[str]
    heading: bool = False
    done: bool | None = None
    said: str = ""

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


@dataclass
class Written:
    """A file as it was made up, so that nobody has to parse it; a note has one part, a canvas its cards."""

    path: str
    parts: list[list[Block]]
    properties: dict[str, str | None] = field(default_factory=dict)

    @property
    def body(self) -> str:
        return "\n\n".join("\n\n".join(block.text for block in part) for part in self.parts)

    @property
    def text(self) -> str:
        if not self.properties:
            return self.body
        lines = [f"{name}: {'' if value is None else value}" for name, value in self.properties.items()]
        return "\n".join(["---", *lines, "---", self.body])

    @property
    def data(self) -> str:
        if not self.path.endswith(".canvas"):
            return self.text
        cards = ["\n\n".join(block.text for block in part) for part in self.parts]
        box = {"type": "text", "x": 0, "y": 0, "width": 9, "height": 9}
        return json.dumps({"nodes": [{"id": str(n), "text": card, **box} for n, card in enumerate(cards)], "edges": []})

    def places(self, operator: str) -> list[str]:
        match operator:
            case "content":
                return [self.body]
            case "line":
                return self.body.split("\n")
            case "block":
                return [block.text for part in self.parts for block in part]
            case "section":
                return [section for part in self.parts for section in sections(part)]
            case _:
                wanted = {"task": {True, False}, "task-todo": {False}, "task-done": {True}}[operator]
                return [block.said for part in self.parts for block in part if block.done in wanted]


def sections(part: list[Block]) -> Iterator[str]:
    begun: list[str] = []
    for block in part:
        if block.heading and begun:
            yield "\n\n".join(begun)
            begun = []
        begun.append(block.text)
    yield "\n\n".join(begun)


def words_in(text: str) -> list[str]:
    return re.findall(r"[A-Za-z0-9]+", text)


def holds(text: str, wanted: list[str], *, case: bool = False) -> bool:
    have = words_in(text) if case else words_in(text.lower())
    wanted = wanted if case else [word.lower() for word in wanted]
    return any(have[at : at + len(wanted)] == wanted for at in range(len(have)))


Test = Callable[[Written], bool]
TextTest = Callable[[str], bool]


@dataclass(frozen=True)
class Asked:
    """A query as it is typed, and what it means."""

    typed: str
    of_file: Test

    def __repr__(self) -> str:
        return self.typed


@dataclass(frozen=True)
class OfText:
    typed: str
    of_text: TextTest


def everywhere(file: Written) -> list[str]:
    name = file.path.rpartition("/")[2].rpartition(".")[0]
    return [name, file.path.rpartition("/")[0], file.body, *(v for v in file.properties.values() if v)]


word = st.sampled_from(WORDS)
words = st.lists(word, min_size=1, max_size=3)
lines = st.lists(word, min_size=1, max_size=4).map(" ".join)
tagged = st.tuples(lines, st.sampled_from(["work", "work/now", "home"])).map(lambda p: f"{p[0]} #{p[1]}")
paragraphs = st.lists(st.one_of(lines, tagged), min_size=1, max_size=2).map(Block)
headings = st.tuples(st.integers(1, 3), lines).map(lambda p: Block([f"{'#' * p[0]} {p[1]}"], heading=True))
items = lines.map(lambda text: Block([f"- {text}"]))
code = st.lists(st.one_of(lines, st.just("")), min_size=1, max_size=3).map(lambda ls: Block(["```", *ls, "```"]))
tasks = st.tuples(st.sampled_from(" x-"), lines).map(
    lambda p: Block([f"- [{p[0]}] {p[1]}"], done=p[0] != " ", said=f" {p[1]}")
)
parts = st.lists(st.one_of(paragraphs, headings, items, code, tasks), min_size=1, max_size=5)
values = st.fixed_dictionaries(
    {},
    optional={
        "status": st.one_of(st.none(), word, lines),
        "n": st.sampled_from(NUMBERS),
    },
)


@st.composite
def vaults(draw: st.DrawFn) -> list[Written]:
    notes = [
        Written(f"{draw(st.sampled_from(FOLDERS))}/{draw(lines)} {n}.md".lstrip("/"), [draw(parts)], draw(values))
        for n in range(draw(st.integers(1, 4)))
    ]
    return [*notes, Written("Board.canvas", draw(st.lists(parts, min_size=1, max_size=2)))]


@st.composite
def of_text(draw: st.DrawFn, depth: int = 2) -> OfText:  # noqa: PLR0911 - one for each kind of query
    kind = draw(st.sampled_from(["word", "phrase", "case", "regex", *(["and", "or", "not"] if depth else [])]))
    if kind in {"and", "or"}:
        one, other = draw(of_text(depth - 1)), draw(of_text(depth - 1))
        if kind == "and":
            return OfText(f"({one.typed} {other.typed})", lambda text: one.of_text(text) and other.of_text(text))
        return OfText(f"({one.typed} OR {other.typed})", lambda text: one.of_text(text) or other.of_text(text))
    if kind == "not":
        part = draw(of_text(depth - 1))
        return OfText(f"-({part.typed})", lambda text: not part.of_text(text))
    some = draw(words)
    if kind == "word":
        return OfText(some[0], lambda text: holds(text, some[:1]))
    if kind == "case":
        return OfText(f"match-case:{some[0]}", lambda text: holds(text, some[:1], case=True))
    if kind == "phrase":
        return OfText(f'"{" ".join(some)}"', lambda text: holds(text, some))
    pattern = draw(st.sampled_from([r"\b{}\b", "{}", r"{}$", r"^\W*{}"])).format(r"\s+".join(some))
    return OfText(f"/{pattern}/", lambda text: re.search(pattern, text, re.IGNORECASE | re.MULTILINE) is not None)


@st.composite
def of_files(draw: st.DrawFn) -> Asked:  # noqa: PLR0911 - one for each kind of query
    kind = draw(st.sampled_from(["word", "phrase", "case", "regex", "name", "property", "tag", "text", "text", "text"]))
    some = draw(words)
    match kind:
        case "word":
            return Asked(some[0], lambda file: any(holds(text, some[:1]) for text in everywhere(file)))
        case "phrase":
            return Asked(f'"{" ".join(some)}"', lambda file: any(holds(text, some) for text in everywhere(file)))
        case "case":
            return Asked(
                f"match-case:{some[0]}",
                lambda file: any(holds(text, some[:1], case=True) for text in [*everywhere(file), file.path]),
            )
        case "regex":
            pattern = r"\s".join(some)
            return Asked(
                f"/{pattern}/", lambda file: bool(re.search(pattern, f"{file.path}\0{file.text}", re.IGNORECASE))
            )
        case "name":
            return draw(st.sampled_from([
                Asked(f"path:{some[0]}", lambda file: some[0].lower() in file.path.lower()),
                Asked(f"file:{some[0]}", lambda file: some[0].lower() in file.path.rpartition("/")[2].lower()),
                Asked(f"match-case:path:{some[0]}", lambda file: some[0] in file.path),
                Asked(rf"file:/{some[0]} \d/", lambda file: bool(re.search(rf"{some[0]} \d[^/]*$", file.path, re.IGNORECASE))),
            ]))  # fmt: skip
        case "property":
            return draw(of_property())
        case "tag":
            tag = draw(st.sampled_from(["work", "work/now", "home", "nowhere"]))
            return Asked(f"tag:#{tag}", lambda file: file.path.endswith(".md") and has_tag(file, tag))
        case _:
            operator = draw(st.sampled_from(["content", "line", "block", "section", "task", "task-todo", "task-done"]))
            part = draw(of_text())
            return Asked(
                f"{operator}:({part.typed})", lambda file: any(part.of_text(text) for text in file.places(operator))
            )


@st.composite
def of_property(draw: st.DrawFn) -> Asked:
    wanted = draw(word)
    bound = draw(st.sampled_from([3, 5, 7.5]))
    return draw(st.sampled_from([
        Asked("[status]", lambda file: "status" in file.properties),
        Asked("[STATUS:null]", lambda file: "status" in file.properties and file.properties["status"] is None),
        Asked(f"[status:{wanted}]", lambda file: holds(file.properties.get("status") or "", [wanted])),
        Asked(f"[status:match-case:{wanted}]", lambda file: holds(file.properties.get("status") or "", [wanted], case=True)),
        Asked(f"[status:-{wanted}]", lambda file: "status" in file.properties and not holds(file.properties["status"] or "", [wanted])),
        Asked(f"[status:{wanted} OR zulu]", lambda file: any(holds(file.properties.get("status") or "", [w]) for w in (wanted, "zulu"))),
        Asked(f"[status:/^{wanted}$/]", lambda file: (file.properties.get("status") or "").lower() == wanted.lower()),
        Asked(f"[n:<{bound}]", lambda file: "n" in file.properties and float(file.properties["n"] or 0) < bound),
        Asked(f"[n:>{bound}]", lambda file: "n" in file.properties and float(file.properties["n"] or 0) > bound),
    ]))  # fmt: skip


def has_tag(file: Written, tag: str) -> bool:
    fenced = re.sub(r"```.*?```", "", file.body, flags=re.DOTALL)
    return any(f"{found}/".startswith(f"{tag}/") for found in re.findall(r"#([a-z/]+)", fenced))


@st.composite
def queries(draw: st.DrawFn, depth: int = 2) -> Asked:
    kind = draw(st.sampled_from(["one", "one", *(["and", "or", "not"] if depth else [])]))
    if kind == "one":
        return draw(of_files())
    if kind == "not":
        part = draw(queries(depth - 1))
        return Asked(f"-({part.typed})", lambda file: not part.of_file(file))
    one, other = draw(queries(depth - 1)), draw(queries(depth - 1))
    if kind == "and":
        return Asked(f"({one.typed} {other.typed})", lambda file: one.of_file(file) and other.of_file(file))
    return Asked(f"({one.typed} OR {other.typed})", lambda file: one.of_file(file) or other.of_file(file))


@contextmanager
def served(files: list[Written]) -> Iterator[OpenVault]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "Vault")
        for file in files:
            place = root / file.path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(file.data, encoding="utf-8", newline="\n")
        vault = open_vault(root, StateFolder(Path(folder, "state")), Settings())
        try:
            vault.index_now()
            yield vault
        finally:
            vault.close()


def found(vault: OpenVault, query: str) -> SearchResults:
    return asyncio.run(vault.services.search.find(AGENT, query=query, page_size=100))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(vaults(), st.lists(queries(), min_size=8, max_size=16))
def test_operators_find_what_a_naive_reading_finds(files: list[Written], asked: list[Asked]) -> None:
    with served(files) as vault:
        for query in asked:
            results = found(vault, query.typed)
            expected = {file.path for file in files if query.of_file(file)}
            if results.relaxed or results.corrected:
                assert not expected, query
            else:
                assert {hit.path for hit in results.results} == expected, query
            assert not results.unchecked


def find(vault: Served, query: str | None, page_size: int = 10, **arguments: object) -> SearchResults:
    search = vault.open().services.search
    return asyncio.run(search.answer(AGENT, Said(query, page_size=page_size, **arguments)))  # type: ignore[arg-type]


def paths(results: SearchResults) -> list[str]:
    return [str(hit.path) for hit in results.results]


@pytest.fixture
def garden(served: Served) -> Served:
    served.write("Garden/Beds.md", "---\nstatus: active\ntype: plan\n---\nrunning water\n\n- [ ] dig the bed\n")
    served.write("Garden/Trees.md", "---\nstatus: active\n---\nwater and oak\n")
    served.write("Tools.md", "# Shed\nspade\n\n# Water\nhose\n")
    served.write("plan.png", b"png")
    for age, path in enumerate(("Tools.md", "Garden/Trees.md", "Garden/Beds.md", "plan.png")):
        os.utime(served.root / path, (1_700_000_000 - age, 1_700_000_000 - age))
    return served


def test_s1_a_word_of_the_path_counts_but_weighs_nothing(garden: Served) -> None:
    garden.write("Other.md", "garden")
    results = find(garden, "garden")
    assert set(paths(results)) == {"Other.md", "Garden/Beds.md", "Garden/Trees.md"}
    assert [hit.score is None for hit in results.results] == [False, True, True]
    assert paths(find(garden, "garden oak")) == ["Garden/Trees.md"]
    assert paths(find(garden, "water -garden")) == ["Tools.md"]
    assert paths(find(garden, "garden/tre")) == ["Garden/Trees.md"]
    assert paths(find(garden, "garde")) == paths(find(garden, "garden"))
    assert paths(find(garden, "ard AND water")) == []
    assert paths(find(garden, "garden", search_type="title")) == []


def test_conditions_alone_order_by_the_last_change_and_have_no_score(garden: Served) -> None:
    results = find(garden, "-zzz")
    assert paths(results) == ["Tools.md", "Garden/Trees.md", "Garden/Beds.md", "plan.png"]
    assert {hit.score for hit in results.results} == {None}
    assert paths(find(garden, "[status:active]", page_size=1, page=2)) == ["Garden/Beds.md"]
    assert paths(find(garden, None, status="active")) == ["Garden/Trees.md", "Garden/Beds.md"]
    assert paths(find(garden, "file:png")) == ["plan.png"]


def test_words_in_a_condition_rank(garden: Served) -> None:
    garden.write("Long.md", f"line one\n{'filler ' * 400}\nhose and spade in a line\n")
    garden.write("Short.md", "hose and spade\n")
    results = find(garden, "line:(hose spade)")
    assert paths(results) == ["Short.md", "Long.md"]
    assert all(hit.score for hit in results.results)


def test_words_are_relaxed_among_the_types_too(garden: Served) -> None:
    results = find(garden, "running hose", note_types=["plan"])
    assert (paths(results), results.relaxed) == (["Garden/Beds.md"], True)


def test_a_type_is_exactly_that(garden: Served) -> None:
    garden.write("Typed.md", "---\ntype: great plan\n---\nrunning\n")
    assert paths(find(garden, "running", note_types=["plan"])) == ["Garden/Beds.md"]
    assert set(paths(find(garden, "type:plan"))) == {"Garden/Beds.md", "Typed.md"}


def test_c21_a_misspelt_word_is_corrected(garden: Served) -> None:
    results = find(garden, "runing water")
    assert (paths(results), results.corrected, results.relaxed) == (["Garden/Beds.md"], {"runing": "running"}, False)
    results = find(garden, "runing hose")
    assert (set(paths(results)), results.relaxed) == ({"Garden/Beds.md", "Tools.md"}, True)
    assert results.corrected == {"runing": "running"}
    assert find(garden, "wqter zzzz").corrected == {"wqter": "water"}
    nothing = find(garden, "qqqqq xxxxx")
    assert (nothing.total, nothing.corrected, nothing.relaxed) == (0, {}, False)
    assert find(garden, "line:(runing wat*)").corrected == {"runing": "running"}


def test_c27_corrections_give_no_word_of_a_hidden_note_away(guarded: Served) -> None:
    guarded.write("Secret/a.md", "hollyhock")
    guarded.write("b.md", "lavender")
    guarded.open()
    assert find(guarded, "holyhock").corrected == {}
    guarded.write("c.md", "marigold")
    guarded.reindex()
    guarded.write("c.md", "---\nprivate: true\n---\nmarigold")
    guarded.reindex()
    assert find(guarded, "marigolt").corrected == {}
    assert find(guarded, "lavendar").corrected == {"lavendar": "lavender"}


def test_the_excerpt_shows_what_met_the_condition(served: Served) -> None:
    served.write(
        "N.md",
        "---\nkey: some value\n---\nhose\n\nspade\n\n# Where\n- [ ] hose with spade\n\n" + "x\n" * 90 + "hose 42\n",
    )
    for query, line, text in [
        ("line:(hose spade)", 9, "hose with spade"),
        ("task-todo:(spade hose)", 9, "hose with spade"),
        (r"/hose \d+/", 101, "hose 42"),
        (r"/^key: \w+/", 2, "key: some value"),
        ('task:""', 1, None),
    ]:
        (hit,) = find(served, query).results
        assert hit.excerpt is not None, query
        if text is not None:
            assert (hit.excerpt.line, text in hit.excerpt.text) == (line, True), query
    (hit,) = find(served, r"/hose \d+/").results
    assert hit.excerpt is not None
    assert hit.excerpt.heading == "Where"


def test_excerpts_are_short_in_every_script(served: Served) -> None:
    served.write("Long.md", "needle " + "word " * 500)
    served.write("Han.md", "針 " + "落葉堆肥" * 500)
    (latin,) = find(served, "needle").results
    (han,) = find(served, "針").results
    assert latin.excerpt is not None
    assert han.excerpt is not None
    assert 200 < len(latin.excerpt.text) <= 240
    assert 100 < len(han.excerpt.text) <= 120


@pytest.mark.parametrize("query", ["/(/", "line:/[/", "path:/*/", "[status:/(/]", "tag:/(/", "-/(/", "water OR /(/"])
def test_an_expression_that_is_none_is_invalid(garden: Served, query: str) -> None:
    assert "position" in garden.fails("search_notes", "invalid", query=query)


def test_what_there_is_no_time_for_is_neither_found_nor_excluded(
    garden: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    garden.open()
    monkeypatch.setattr("sidecar.services.conditions._SECONDS", -1.0)
    for query in (
        "line:water",
        "-line:water",
        "/water/",
        "-/zzz/",
        "[status]",
        "-[status:zzz] path:garden",
        "path:/g/",
        "-path:/zzz/",
    ):
        results = find(garden, f"{query} water")
        assert (results.total, results.unchecked > 0) == (0, True), query


def test_only_what_the_rest_of_the_query_leaves_over_is_looked_at(
    garden: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    garden.open()
    monkeypatch.setattr("sidecar.services.conditions._SECONDS", -1.0)
    for query, left in (
        ("/x/", 4),
        ("line:water", 3),
        ("/x/ tag:none", 0),
        ("line:water oak", 1),
        ("-/x/ (path:tools)", 1),
    ):
        assert find(garden, query).unchecked == left, query


def test_only_files_that_are_shown_are_opened(garden: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        garden.write(f"N{number}.md", f"mulch {number}\n\nwater lily {number}\n")
    garden.open()
    read: list[str] = []
    of = Glance.read

    def counted(self: Glance, path: VaultPath) -> bytes:
        read.append(path)
        return of(self, path)

    monkeypatch.setattr(Glance, "read", counted)
    for query in (
        "/water lily 2\\d/",
        "line:(water 3)",
        "block:(lily 3)",
        "section:(mulch 4)",
        "mulch -line:(water 5)",
    ):
        read.clear()
        results = find(garden, query, page_size=3)
        assert results.total, query
        assert sorted(read) == sorted(paths(results)), query


def test_a_note_that_changed_meets_conditions_by_what_it_says_now(garden: Served) -> None:
    garden.write("Pond.md", "frogs in the pond\n")
    assert paths(find(garden, "/frogs in/")) == ["Pond.md"]
    garden.write("Pond.md", "toads in the pond\n")
    garden.reindex()
    assert paths(find(garden, "/frogs in/")) == []
    assert paths(find(garden, "line:(toads pond)")) == ["Pond.md"]


def test_what_is_in_a_note_for_programs_meets_no_condition(served: Served) -> None:
    data = "\N{CLOSED LOCK WITH KEY} aGVsbG8gd29ybGQhIQ== \N{CLOSED LOCK WITH KEY}"
    served.write("Locked.md", f"open words\n{data}\n")
    assert paths(find(served, "/aGVsbG8/")) == []
    assert paths(find(served, "/open w/")) == ["Locked.md"]


def test_s11_what_is_equal_is_found_however_it_is_written(served: Served) -> None:
    served.write("Five.md", "---\nn: 5\n---\n")
    served.write("Typed.md", "---\ntype: person\nn: 5.0\n---\n")
    assert set(paths(find(served, "[n:5.0]"))) == {"Five.md", "Typed.md"}
    assert paths(find(served, "type:note")) == ["Five.md"]


def test_a_slow_expression_ends_with_part_of_the_result(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sidecar.services.conditions._SECONDS_OF_EXPRESSIONS", 0.05)
    served.write("A slow one.md", "a" * 5000 + "b")
    served.write("Quick.md", "aaa")
    os.utime(served.root / "A slow one.md", (1_700_000_000, 1_700_000_000))
    results = find(served, "/^(a+)+$/")
    assert (paths(results), results.unchecked) == (["Quick.md"], 1)
    assert paths(find(served, "-/^(a+)+$/")) == []


def test_a_cursor_goes_on_in_the_same_ranking_though_the_vault_changes(garden: Served) -> None:
    for number in range(5):
        garden.write(f"N{number}.md", "mulch " * (number + 1))
    first = find(garden, "mulch", page_size=2)
    assert first.next is not None
    garden.write("Mulch.md", "mulch mulch mulch")
    (garden.root / "N1.md").unlink()
    garden.reindex()
    rest = []
    page = first
    while page.next:
        page = find(garden, "mulch", page_size=2, cursor=page.next)
        assert not page.moved
        rest += paths(page)
    assert page.page == 3
    shown = {*paths(first), *rest}
    assert shown - {"N1.md"} == {f"N{n}.md" for n in (0, 2, 3, 4)}
    assert "N1.md" not in rest
    assert "Mulch.md" in paths(find(garden, "mulch"))


def test_a_cursor_whose_ranking_is_forgotten_says_so_when_the_vault_changed(garden: Served) -> None:
    for number in range(3):
        garden.write(f"N{number}.md", "mulch")
    cursor = find(garden, "mulch", page_size=1).next
    garden.close()
    page = find(garden, "mulch", page_size=1, cursor=cursor)
    assert (paths(page), page.moved, page.page) == (["N1.md"], False, 2)
    garden.close()
    garden.write("N3.md", "mulch")
    assert find(garden, "mulch", page_size=1, cursor=cursor).moved


def test_a_cursor_of_another_search_is_invalid(garden: Served) -> None:
    cursor = find(garden, "water", page_size=1).next
    garden.fails("search_notes", "invalid", query="oak", cursor=cursor)
    garden.fails("search_notes", "invalid", query="water", tags=["x"], cursor=cursor)
    garden.fails("search_notes", "invalid", query="water", cursor="nonsense")
    garden.fails("search_notes", "invalid", query="water", cursor=f"{cursor}0000000000")


def test_a_note_that_became_private_is_not_on_a_later_page(garden: Served) -> None:
    for number in range(3):
        garden.write(f"N{number}.md", "mulch")
    first = find(garden, "mulch", page_size=2)
    garden.write("N2.md", "---\nprivate: true\n---\nmulch")
    garden.reindex()
    assert paths(find(garden, "mulch", page_size=2, cursor=first.next)) == []


def test_a13_excluded_files_are_left_out_of_conditions_too(served: Served) -> None:
    served.write(".obsidian/app.json", '{"userIgnoreFilters": ["Old/"]}')
    served.write("Old/a.md", "hose spade")
    served.write("b.md", "hose spade")
    assert paths(find(served, "line:(hose spade)")) == ["b.md"]
    assert set(paths(find(served, "/hose/", include_excluded=True))) == {"Old/a.md", "b.md"}
