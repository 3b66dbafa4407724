from collections.abc import Mapping

from sidecar.model.file import FileStat, FileState
from sidecar.model.path import VaultPath as P
from sidecar.pipeline.differences import Differences, differences


def disk(**files: tuple[int, int]) -> dict[P, FileStat]:
    return {P(name): FileStat(P(name), mtime, size) for name, (mtime, size) in _named(files).items()}


def known(**files: tuple[int, int]) -> dict[P, FileState]:
    return {P(name): FileState(n, mtime, size, "h") for n, (name, (mtime, size)) in enumerate(_named(files).items())}


def _named(files: Mapping[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
    return {f"{name}.md": stat for name, stat in files.items()}


def compared(
    on_disk: Mapping[P, FileStat],
    catalog: Mapping[P, FileState],
    held: set[str] | None = None,
    denied: frozenset[str] = frozenset(),
) -> Differences:
    index = set(catalog) - denied if held is None else {P(path) for path in held}
    return differences(on_disk, catalog, index, {P(path) for path in denied})


NONE = frozenset[P]()


def paths(*names: str) -> frozenset[P]:
    return frozenset(map(P, names))


def test_nothing_differs() -> None:
    same = compared(disk(a=(1, 1), b=(2, 2)), known(a=(1, 1), b=(2, 2)))
    assert same == Differences(changed=(), unindexed=NONE, unread=NONE, gone=NONE, vanished=0)
    assert same.count == 0


def test_new_and_changed_files_newest_first() -> None:
    found = compared(disk(a=(1, 9), b=(5, 2), c=(3, 3), d=(4, 4)), known(a=(1, 1), b=(2, 2), d=(4, 4)))
    assert found.changed == ("b.md", "c.md", "a.md")
    assert found.count == 3


def test_files_that_are_gone() -> None:
    found = compared(disk(a=(1, 1)), known(a=(1, 1), b=(2, 2)))
    assert (found.gone, found.vanished, found.count) == (paths("b.md"), 1, 1)


def test_what_only_the_index_holds_is_gone_too() -> None:
    found = compared({}, {}, held={"a.md"})
    assert (found.gone, found.vanished) == (paths("a.md"), 0)


def test_a_renamed_folder_did_not_vanish() -> None:
    before = {P(f"Old/{n}.md"): FileState(n, n, 1, "h") for n in range(30)}
    after = {P(f"New/{n}.md"): FileStat(P(f"New/{n}.md"), n, 1) for n in range(29)}
    found = compared(after, before)
    assert (len(found.gone), found.vanished) == (30, 1)


def test_attachments_do_not_count_as_vanished() -> None:
    assert compared({}, {P("a.png"): FileState(1, 1, 1, "")}).vanished == 0


def test_files_that_the_index_lacks_or_may_not_have() -> None:
    found = compared(
        disk(a=(1, 1), b=(1, 1), c=(1, 1), d=(1, 1)),
        known(a=(1, 1), b=(1, 1), c=(1, 1), d=(1, 1)),
        held={"a.md", "c.md"},
        denied=frozenset({"c.md", "d.md"}),
    )
    assert (found.changed, found.unindexed, found.count) == ((), paths("b.md", "c.md"), 2)


def test_texts_that_were_never_read_are_looked_at_again_but_those_in_the_cloud() -> None:
    stats = [FileStat(P("a.md"), 1, 1), FileStat(P("b.md"), 1, 1, here=False), FileStat(P("c.png"), 1, 1)]
    found = compared({s.path: s for s in stats}, {s.path: FileState(1, 1, 1, "") for s in stats})
    assert (found.unread, found.changed, found.count) == (paths("a.md"), (), 0)
