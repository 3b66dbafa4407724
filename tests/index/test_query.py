import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.index.query import parse_query, relaxed
from sidecar.model.search import And, Everything, Not, Or, PathHas, Phrase, PropertyIs, Query, TagIs, Term

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
        case Not(part):
            return 1 + depth(part)
        case _:
            return 1


pieces = st.sampled_from(
    ["(", ")", '"', "'", "-", "*", ":", "\\", "AND", "OR", "NOT", "tag:", "status:", " ", "aa", "é", "統"]
)


@given(st.one_of(st.text(), st.lists(pieces, max_size=40).map("".join), st.lists(pieces, max_size=40).map(" ".join)))
def test_parsing_never_raises(text: str) -> None:
    parse_query(text, NAMES)


@pytest.mark.parametrize(
    "text", ["(" * 9000 + "aa", "NOT " * 9000 + "aa", "-(" * 9000 + "aa", "tag:(" * 9000, '"' * 9001, "((a OR " * 3000]
)
def test_deep_and_long_queries_stay_shallow(text: str) -> None:
    assert depth(parse_query(text, NAMES)) < 200
