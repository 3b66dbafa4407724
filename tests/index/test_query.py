import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.index.query import parse_query, relaxed
from sidecar.model.search import (
    And,
    Compares,
    Everything,
    Matches,
    Not,
    Or,
    PathHas,
    Phrase,
    Place,
    PropertyHas,
    PropertyIs,
    Query,
    TagIs,
    Term,
    Within,
)

NAMES = ("Status", "author", "due date")


def words(*texts: str) -> tuple[Query, ...]:
    return tuple(Term(text) for text in texts)


def last(text: str) -> Term:
    return Term(text, prefix=True)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        # S1, S2: standing together is AND; OR binds loosest
        ("alpha omega", And((Term("alpha"), last("omega")))),
        ("a b OR c d", Or((And(words("a", "b")), And(words("c", "d"))))),
        ("aa OR bb OR cc", Or((*words("aa", "bb"), last("cc")))),
        ("(aa OR bb) cc", And((Or(words("aa", "bb")), last("cc")))),
        ("aa (bb OR cc)", And((Term("aa"), Or((Term("bb"), last("cc")))))),
        ("aa or bb and cc", And((*words("aa", "or", "bb", "and"), last("cc")))),
        # S3
        ("-alpha", Not(Term("alpha"))),
        ("omega -alpha", And((Term("omega"), Not(Term("alpha"))))),
        ("-(aa bb)", Not(And(words("aa", "bb")))),
        ('-"aa bb" cc', And((Not(Phrase("aa bb")), last("cc")))),
        ("-tag:x", Not(TagIs("x"))),
        ("foo-bar well-known", And((Term("foo-bar"), last("well-known")))),
        ("--flag xx", And((Term("--flag"), last("xx")))),
        ("- item", last("item")),
        # S4
        ('"star wars"', Phrase("star wars")),
        ('aa "star wars" bb', And((Term("aa"), Phrase("star wars"), last("bb")))),
        (r'"say \"hi\" now"', Phrase('say "hi" now')),
        ("“star wars”", Phrase("star wars")),
        # S6, S7
        ("tag:a", TagIs("a")),
        ("TAG:#a/b/", TagIs("a/b")),
        ("tag:a OR word", Or((TagIs("a"), last("word")))),
        ("tag:(aa OR #bb)", Or((TagIs("aa"), TagIs("bb")))),
        ("path:Notes/x", PathHas("Notes/x")),
        ("path:Notes/*", PathHas("Notes/")),
        ('path:"with space" aa', And((PathHas("with space"), last("aa")))),
        ("path:f(x).md", PathHas("f(x).md")),
        # Basic Memory's habits
        ("aa AND bb", And((Term("aa"), last("bb")), explicit=True)),
        ("aa AND NOT bb", And((Term("aa"), Not(Term("bb"))), explicit=True)),
        ("aa NOT bb", And((Term("aa"), Not(Term("bb"))))),
        ("NOT bb", Not(Term("bb"))),
        ("NOT NOT bb", Term("bb")),
        ("(bug OR issue) AND NOT resolved", And((Or(words("bug", "issue")), Not(Term("resolved"))), explicit=True)),
        ("'exact phrase'", Phrase("exact phrase")),
        ("'don't panic'", Phrase("don't panic")),
        ("'aa' OR 'bb'", Or((Term("'aa'"), last("'bb'")))),
        ('""weekly standup meeting""', Phrase("weekly standup meeting")),
        ('""exact phrase" AND keyword"', And((Phrase("exact phrase"), last("keyword")), explicit=True)),
        # name:value of a property of the vault
        ("status:done", PropertyIs("status", "done")),
        ('STATUS:"in progress" xx', And((PropertyIs("STATUS", "in progress"), last("xx")))),
        ("status:(open OR done)", Or((PropertyIs("status", "open"), PropertyIs("status", "done")))),
        ("-author:bob", Not(PropertyIs("author", "bob"))),
        ("unknown:bob", last("unknown:bob")),
        ("http://x.com/a 10:30", And((Term("http://x.com/a"), last("10:30")))),
        # beginnings
        ("foo*", last("foo")),
        ("foo* bar", And((last("foo"), last("bar")))),
        ("-foo*", Not(last("foo"))),
        ("vitamin c", And(words("vitamin", "c"))),
        ("alpha tag:x", And((Term("alpha"), TagIs("x")))),
        ('alpha "x y"', And((Term("alpha"), Phrase("x y")))),
        ("(alpha omega)", And((Term("alpha"), last("omega")))),
        ("it's", Term("it's")),
        # whatever is typed means something
        ("", Everything()),
        ("  ", Everything()),
        ("*", Everything()),
        ('()""', Everything()),
        ("!!!", Term("!!!")),
        ("'!!!'", Term("'!!!'")),
        ("aa & bb", And((Term("aa"), last("bb")))),
        ("unbalanced (", last("unbalanced")),
        ("un)bal", And((Term("un"), last("bal")))),
        (")aa", last("aa")),
        ('"open quote', And((Term("open"), last("quote")))),
        ('aa "', last("aa")),
        ("aa AND", Term("aa")),
        ("OR aa", last("aa")),
        ("OR", Term("OR")),
        ("AND NOT", And(words("AND", "NOT"))),
        ("aa OR", Term("aa")),
        ("aa -", Term("aa")),
        ("tag:", last("tag:")),
        ("aa tag:#", Term("aa")),
        ("f(x) yy", And((Term("f(x)"), last("yy")))),
    ],
)  # fmt: skip
def test_a_query_means(text: str, query: Query) -> None:
    assert parse_query(text, NAMES) == query


def regex(pattern: str, place: Place = Place.FILE) -> Query:
    return Within(place, Matches(pattern))


def has(name: str) -> Query:
    return PropertyHas(name, Everything())


@pytest.mark.parametrize(
    ("text", "query"),
    [
        # S5: a regular expression, also as operand
        (r"/\d{4}/", regex(r"\d{4}")),
        ('/say "hi" (a|b)/ xx', And((regex('say "hi" (a|b)'), last("xx")))),
        (r"path:/\d{4}/", regex(r"\d{4}", Place.PATH)),
        ("file:/a b/", regex("a b", Place.NAME)),
        ("tag:/^a/", regex("^a", Place.TAG)),
        ("line:/a b/", regex("a b", Place.LINE)),
        ("-/a/", Not(regex("a"))),
        (r"/a\/b/", regex(r"a\/b")),
        ("/[/]x/", regex("[/]x")),
        ("/foo/gi", regex("foo")),
        ("(/a/ OR /b/)", Or((regex("a"), regex("b")))),
        ("/(/", regex("(")),
        ("/[/", regex("[")),
        ("/usr/bin", last("/usr/bin")),
        ("and/or", last("and/or")),
        ("/ aa", last("aa")),
        # S6, S7
        ("file:x.md", Within(Place.NAME, Phrase("x.md"))),
        ('FILE:"a b"', Within(Place.NAME, Phrase("a b"))),
        ("content:xx", Within(Place.CONTENT, Term("xx"))),
        # S8: what stands behind it must be in one place
        ("line:(x y)", Within(Place.LINE, And(words("x", "y")))),
        ("Line:x", Within(Place.LINE, Term("x"))),
        ('block:"x y"', Within(Place.BLOCK, Phrase("x y"))),
        ("section:(x OR -y)", Within(Place.SECTION, Or((Term("x"), Not(Term("y")))))),
        ("-line:x", Not(Within(Place.LINE, Term("x")))),
        ("-line:(x y) zz", And((Not(Within(Place.LINE, And(words("x", "y")))), last("zz")))),
        ("line:x*", Within(Place.LINE, last("x"))),
        ("line:status:done", Within(Place.LINE, Term("status:done"))),
        ("section:(x line:(y z))", Within(Place.SECTION, And((Term("x"), Within(Place.LINE, And(words("y", "z"))))))),
        ("line:", last("line:")),
        ('line:""', Term('line:""')),
        # S9
        ("task:x", Within(Place.TASK, Term("x"))),
        ("task-todo:(x y)", Within(Place.TASK_TODO, And(words("x", "y")))),
        ('task-done:"x y"', Within(Place.TASK_DONE, Phrase("x y"))),
        ('task:""', Within(Place.TASK, Everything())),
        ('task-todo:"" x "y z"', And((Within(Place.TASK_TODO, Everything()), Term("x"), Phrase("y z")))),
        ('-task:""', Not(Within(Place.TASK, Everything()))),
        # S10
        ("match-case:Foo", Within(Place.FILE, Term("Foo", case=True))),
        ("match-case:(Foo /B/)", And((Within(Place.FILE, Term("Foo", case=True)), Within(Place.FILE, Matches("B", case=True))))),
        ("match-case:line:(Foo ignore-case:bar)", Within(Place.LINE, And((Term("Foo", case=True), Term("bar"))))),
        ("line:match-case:Foo", Within(Place.LINE, Term("Foo", case=True))),
        ("match-case:path:A", Within(Place.PATH, Phrase("A", case=True))),
        ("match-case:tag:A", TagIs("A")),
        ("ignore-case:foo", last("foo")),
        # S11
        ("[p]", has("p")),
        ('["p q"]', has("p q")),
        ("[p:v]", PropertyIs("p", "v")),
        ('["p":"v w"]', PropertyIs("p", "v w")),
        ("[p:v w]", And((PropertyIs("p", "v"), PropertyIs("p", "w")))),
        ("[ s : A OR B ]", Or((PropertyIs("s", "A"), PropertyIs("s", "B")))),
        ("[s:(A OR B) c]", And((Or((PropertyIs("s", "A"), PropertyIs("s", "B"))), PropertyIs("s", "c")))),
        ("[s:-A]", And((has("s"), Not(PropertyIs("s", "A"))))),
        ("-[s:A]", Not(PropertyIs("s", "A"))),
        ("[p:null]", PropertyIs("p", None)),
        ('[p:"null"]', PropertyIs("p", "null")),
        ("[p:EMPTY]", PropertyIs("p", None)),
        ("[b:TRUE]", PropertyIs("b", True)),
        ("[b:FALSE]", PropertyIs("b", False)),
        ("[n:<5]", PropertyHas("n", Compares("<", "5"))),
        ("[n:> 5.5]", PropertyHas("n", Compares(">", "5.5"))),
        ("[n:<=2026-01-02]", PropertyHas("n", Compares("<=", "2026-01-02"))),
        ("[n:<5 OR >9]", Or((PropertyHas("n", Compares("<", "5")), PropertyHas("n", Compares(">", "9"))))),
        ("[n:-5]", PropertyIs("n", "-5")),
        ("[p:v*]", PropertyHas("p", last("v"))),
        ("[p:/^[^\\]]+$/]", PropertyHas("p", Matches("^[^\\]]+$"))),
        ("[p:match-case:V]", PropertyHas("p", Term("V", case=True))),
        ("[url:http://x.com]", PropertyIs("url", "http://x.com")),
        ("[p:]", has("p")),
        ("[p] xx", And((has("p"), last("xx")))),
        ("[[Note]]", last("[[Note]]")),
        ("a[0]", Term("a[0]")),
        ("[ ] xx", last("xx")),
        ("[pp", last("[pp")),
    ],
)  # fmt: skip
def test_an_operator_means(text: str, query: Query) -> None:
    assert parse_query(text, NAMES) == query


@pytest.mark.parametrize(
    ("text", "loosened"),
    [
        ("alpha omega", Or((Term("alpha"), last("omega")))),
        ("aa bb cc", Or((*words("aa", "bb"), last("cc")))),
        ("alpha", None),
        ("alpha AND omega", None),
        ("alpha -omega", None),
        ('alpha "omega psi"', None),
        ("alpha OR omega", None),
        ("alpha tag:x", None),
        ("", None),
    ],
)
def test_only_several_plain_words_are_loosened(text: str, loosened: Query | None) -> None:
    assert relaxed(parse_query(text)) == loosened


def depth(query: Query) -> int:
    match query:
        case And(parts) | Or(parts):
            return 1 + max(depth(part) for part in parts)
        case Not(part) | Within(_, part):
            return 1 + depth(part)
        case _:
            return 1


pieces = st.sampled_from(
    [
        *("(", ")", '"', "'", "-", "*", ":", "\\", "AND", "OR", "NOT", "tag:", "status:", " ", "aa", "é", "統"),
        *("/", "[", "]", "line:", "task:", "match-case:", "<", "null", '""', "file:"),
    ]
)


@given(st.one_of(st.text(), st.lists(pieces, max_size=40).map("".join), st.lists(pieces, max_size=40).map(" ".join)))
def test_parsing_never_raises(text: str) -> None:
    parse_query(text, NAMES)


@pytest.mark.parametrize(
    "text",
    [
        *("(" * 9000 + "aa", "NOT " * 9000 + "aa", "-(" * 9000 + "aa", "tag:(" * 9000, '"' * 9001, "((a OR " * 3000),
        *("match-case:" * 3000, "line:(" * 3000, "[a:" * 3000, "/[" * 3000, "/[a]" * 3000, "[p:/x/ " * 3000),
    ],
)
def test_deep_and_long_queries_stay_shallow(text: str) -> None:
    assert depth(parse_query(text, NAMES)) < 200
