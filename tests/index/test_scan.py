import pytest

from sidecar.errors import Invalid
from sidecar.index.document import Document
from sidecar.index.query import parse_query
from sidecar.index.regex import OutOfTime, Patience
from sidecar.index.scan import both, spot, text_check, widened
from sidecar.model.path import VaultPath
from sidecar.model.search import And, Everything, Matches, Or, Phrase, Place, Query, Term, Within

NOTE = Document(
    VaultPath("Garden/Beds in spring.md"),
    """\
---
status: in progress
tags: [plan]
---
Before: crème and Roots

# Beds
- [ ] dig the bed
  before frost
- [x] buy seeds #shop/seeds

Peas grow here. `#code`

## Tools
A spade, a rake
```
hose
```
""",
)
CANVAS = Document.of(
    VaultPath("Board.canvas"),
    b'{"nodes":[{"id":"a","type":"text","text":"# One\\nmole","x":0,"y":0,"width":9,"height":9},'
    b'{"id":"b","type":"text","text":"- [ ] vole","x":0,"y":0,"width":9,"height":9},'
    b'{"id":"c","type":"file","file":"x.md","x":0,"y":0,"width":9,"height":9}],'
    b'"edges":[{"id":"e","fromNode":"a","toNode":"b","label":"toad"}]}',
)


def holds(query: str, document: Document = NOTE) -> bool:
    return text_check(parse_query(query, ("status",)), Patience(5))(document.whole) is not None


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        # S8
        ("line:(creme roots)", True),
        ("line:(creme beds)", False),
        ("line:(dig frost)", False),
        ("line:status", False),
        ("-line:rake", False),
        ("-line:(creme beds)", True),
        ("line:(spade -rake)", False),
        ("line:(spade OR hose)", True),
        ('line:"a rake"', True),
        ("block:(dig frost)", True),
        ("block:(dig seeds)", False),
        ("block:hose", True),
        ("section:(dig peas)", True),
        ("section:(beds creme)", False),
        ("section:(tools rake hose)", True),
        ("section:(peas line:(dig bed))", True),
        ("section:(rake line:(dig bed))", False),
        # S9
        ("task:dig", True),
        ("task:(dig frost)", True),
        ("task:x", False),
        ("task-todo:dig", True),
        ("task-todo:buy", False),
        ("task-done:buy", True),
        ("-task-done:dig", True),
        ("task:(dig buy)", False),
        # S7
        ("content:creme", True),
        ("content:progress", False),
        # S5, S10
        ("/status:\\\\s+in/", True),
        ("content:/status:/", False),
        ("/in spring/", True),
        ("/in winter/", False),
        ("line:/^a spade.*rake$/", True),
        ("line:match-case:/^a spade/", False),
        ("section:/hose\\\\s/", True),
        ("match-case:Roots", True),
        ("match-case:roots", False),
        ("match-case:spring", True),
        ("line:(Roots match-case:crème)", True),
        ("line:(Roots match-case:Crème)", False),
        # conditions on the file inside of one on its text
        ("line:(dig path:garden)", True),
        ("line:(dig path:winter)", False),
        ("line:(dig file:/spring\\\\./)", True),
        ("line:(buy tag:shop)", True),
        ("line:(dig tag:shop)", False),
        ("line:(peas tag:code)", False),
        ("line:(buy tag:/seeds$/)", True),
        ("line:(dig [status:progress])", True),
        ("line:(dig [status:done])", False),
        ("line:(dig [Status:/^in/])", True),
        ("line:(dig [due])", False),
    ],
)
def test_a_condition_on_a_note(query: str, expected: bool) -> None:
    assert holds(query.replace("\\\\", "\\")) is expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("line:mole", True),
        ("section:(one mole)", True),
        ("section:(one vole)", False),
        ("block:(one mole)", False),
        ("content:(mole vole toad)", True),
        ("line:(vole toad)", False),
        ("task-todo:vole", True),
        ("/board\\\\.canvas/", True),
        ("/x\\\\.md/", False),
    ],
)
def test_each_card_of_a_canvas_is_a_text_of_its_own(query: str, expected: bool) -> None:
    assert holds(query.replace("\\\\", "\\"), CANVAS) is expected


@pytest.mark.parametrize("body", ["ﬁx ½ e\u0301é\r\nmole", "İİ\nmole ß", "ﷺ\n\nmole"])
def test_letters_that_folding_moves_do_not_move_lines(body: str) -> None:
    document = Document(VaultPath("a.md"), f"---\nx: ﷺﷺﷺ\n---\n{body}\nend")
    assert holds("line:mole", document)
    assert holds("block:mole", document)
    assert not holds("line:(mole end)", document)
    assert spot(parse_query("line:mole"), document, Patience(1)) is not None


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("line:(creme roots)", "Before: crème and Roots"),
        ("frost task:dig", " dig the bed\n  before frost"),
        ("line:/p..s/", "Peas"),
        ("section:(peas /h.re/)", "here"),
        ("/in pro/", "in pro"),
        ("(zzz OR line:rake)", "A spade, a rake"),
        ("-line:creme line:rake", "A spade, a rake"),
        ("/in spring/", None),
        ("content:rake", None),
        ("-line:rake", None),
        ("rake", None),
        ("path:garden", None),
    ],
)
def test_the_spot_that_meets_a_condition(query: str, shown: str | None) -> None:
    found = spot(parse_query(query), NOTE, Patience(5))
    assert (NOTE.text[slice(*found)] if found else None) == shown


@pytest.mark.parametrize(
    ("query", "wider"),
    [
        (Within(Place.LINE, And((Term("a", case=True), Phrase("b c", case=True)))), And((Term("a"), Phrase("b c")))),
        (parse_query("line:(x -y /z/)"), Term("x")),
        (parse_query("line:(x OR y)"), Or((Term("x"), Term("y")))),
        (parse_query("line:(x OR /y/)"), Everything()),
        (parse_query("path:/x/"), Everything()),
        (parse_query("task:(x* [p:v])"), Term("x", prefix=True)),
        (parse_query("section:(x line:y)"), And((Term("x"), Term("y")))),
    ],
)  # fmt: skip
def test_what_the_index_is_asked_for(query: Query, wider: Query) -> None:
    assert widened(query) == wider


def test_both() -> None:
    assert both() == both(Everything()) == Everything()
    assert both(Term("a"), Everything()) == Term("a")
    assert both(Term("a"), Term("b")) == And((Term("a"), Term("b")))


def test_an_expression_that_is_none_and_one_that_takes_too_long() -> None:
    with pytest.raises(Invalid):
        holds("line:/(/")
    slow = text_check(Matches("(a+)+$"), Patience(0.05))
    with pytest.raises(OutOfTime):
        slow(Document(VaultPath("a.md"), "a" * 5000 + "b").whole)
