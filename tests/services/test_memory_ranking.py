from hypothesis import given
from hypothesis import strategies as st

from sidecar.model.path import VaultPath
from sidecar.services.memory_ranking import Corpus, weights_of

WORDS = ["otter", "badger", "heron", "newt", "finch", "stoat"]
texts = st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)


def corpus(**memories: tuple[str, str, str]) -> Corpus:
    return Corpus().changed({VaultPath(path): weights_of(*texts) for path, texts in memories.items()})


def ranked(found: Corpus, question: str) -> list[str]:
    return [str(one.path) for one in found.rank(question)]


@given(
    names=st.lists(texts, min_size=3, max_size=3),
    descriptions=st.lists(texts, min_size=3, max_size=3),
    bodies=st.lists(texts, min_size=3, max_size=3),
    more=st.integers(0, 50),
)
def test_one_word_ranks_name_over_description_over_body(
    names: list[str], descriptions: list[str], bodies: list[str], more: int
) -> None:
    found = corpus(
        c_name=(f"{names[0]} zebra", descriptions[0], bodies[0]),
        b_description=(names[1], f"{descriptions[1]} zebra", f"{bodies[1]} zebra zebra"),
        a_body=(names[2], descriptions[2], f"{bodies[2]} {'zebra ' * (more + 1)}"),
        d_none=("otter", "badger", "heron"),
        **{f"e{n}": ("stoat", "zebra", "zebra") for n in range(more)},
    )
    order = [path for path in ranked(found, "zebra") if not path.startswith("e")]
    assert order == ["c_name", "b_description", "a_body"]


@given(st.lists(st.tuples(st.integers(0, 4), st.none() | st.tuples(texts, texts, texts)), max_size=15))
def test_a_corpus_after_changes_is_the_corpus_made_anew(
    changes: list[tuple[int, tuple[str, str, str] | None]],
) -> None:
    grown, last = Corpus(), dict[VaultPath, tuple[str, str, str]]()
    for number, said in changes:
        path = VaultPath(f"{number}.md")
        grown = grown.changed({path: weights_of(*said) if said else None})
        if said:
            last[path] = said
        else:
            last.pop(path, None)
    fresh = Corpus().changed({path: weights_of(*said) for path, said in last.items()})
    assert grown.holders == fresh.holders
    assert grown.words == fresh.words


def test_the_corpus_before_stays_as_it_was() -> None:
    before = corpus(a=("otter", "", ""))
    after = before.changed({VaultPath("b"): weights_of("otter", "", ""), VaultPath("a"): None})
    assert (ranked(before, "otter"), ranked(after, "otter")) == (["a"], ["b"])


def test_inflected_words_and_beginnings_count_and_stop_words_do_not() -> None:
    found = corpus(a=("renewal-window", "Renewals open early", ""), b=("the-who", "a band", ""))
    assert ranked(found, "when do they renew") == ["a"]
    assert ranked(found, "windo") == ["a"]
    assert ranked(found, "who") == ["b"], "a question of stop words only is about them"
    assert ranked(found, "zebra") == []


def test_words_without_spaces_between_are_found() -> None:
    assert ranked(corpus(a=("a", "系統図の規則", ""), b=("b", "x", "")), "系統図") == ["a"]


def test_only_those_asked_for_are_ranked() -> None:
    found = corpus(a=("otter", "", ""), b=("otter", "", ""))
    assert [one.path for one in found.rank("otter", {VaultPath("b")})] == ["b"]
