"""Laws of moving: every link leads where it led, nothing else changes, and undo restores every byte."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.catalog.graph import target_of
from sidecar.catalog.snapshot import Snapshot
from sidecar.config import StateFolder
from sidecar.errors import Invalid
from sidecar.model.file import FileState
from sidecar.model.note import Link, LinkKind
from sidecar.model.path import VaultPath as P
from sidecar.parse.file import parse_file
from sidecar.services.moves import Destination
from sidecar.vault import writer
from tests.conftest import Served

Tree = dict[P, bytes]


@contextmanager
def vault(tree: dict[str, str]) -> Iterator[Served]:
    with TemporaryDirectory() as folder:
        root = Path(folder) / "Vault"
        root.mkdir()
        served = Served(root, StateFolder(Path(folder) / "state"))
        for path, text in tree.items():
            served.write(path, text)
        try:
            yield served
        finally:
            served.close()


def files(served: Served) -> Tree:
    return {
        P(str(p.relative_to(served.root))): p.read_bytes()
        for p in sorted(served.root.rglob("*"))
        if p.is_file() and ".obsidian" not in p.parts
    }


def folders(served: Served) -> list[str]:
    return sorted(str(p.relative_to(served.root)) for p in served.root.rglob("*") if p.is_dir())


def links_of(path: P, data: bytes) -> tuple[Link, ...]:
    return parse_file(path, data).links


def snapshot(tree: Tree) -> Snapshot:
    return Snapshot.of({path: FileState(n, 0, 0, "") for n, path in enumerate(tree)})


def without_links(path: P, data: bytes) -> str:
    """Return a file's text with its links taken out, and their subpaths and forms in their places."""
    text = data.decode()
    if path.extension == "canvas":
        nodes = json.loads(text)["nodes"]
        return json.dumps(
            [{k: v for k, v in node.items() if k not in ("file", "text", "background")} for node in nodes]
        )
    for link in sorted(links_of(path, data), key=lambda link: -link.start):
        end = link.start + len(link.raw)
        assert text[link.start : end] == link.raw
        form = f"{link.raw[:1]}{link.raw[-1:]}{link.subpath}{link.raw.count('<')}{'title' in link.raw}{chr(92) in link.raw}"
        text = text[: link.start] + form + text[end:]
    return text


def check(before: Tree, after: Tree, moves: dict[P, P]) -> None:
    old, new = snapshot(before), snapshot(after)
    assert after.keys() == {moves.get(path, path) for path in before}
    for path, data in before.items():
        place = moves.get(path, path)
        assert without_links(place, after[place]) == without_links(path, data), path
        for was, is_now in zip(links_of(path, data), links_of(place, after[place]), strict=True):
            target = target_of(was, path, old).target
            if target is not None:
                assert target_of(is_now, place, new).target == moves.get(target, target), (path, was, is_now)
            elif not was.linkpath.startswith("."):
                assert is_now.raw == was.raw
            if target is not None and target_of(was, place, new).candidates == (moves.get(target, target),):
                assert is_now.linkpath == was.linkpath or was.kind is LinkKind.CANVAS_FILE


FOLDERS = ["", "x", "x/y", "Zed", "x y"]
NAMES = ["A.md", "B.md", "a b.md", "v1.2.md", "v1.2", "p (1).png", "é.md", "C.canvas"]
PATHS = st.builds(lambda folder, name: P(folder).child(name), st.sampled_from(FOLDERS), st.sampled_from(NAMES))


def said(target: P, source: P, how: int) -> str:
    """Write a path in one of many ways, right or wrong."""
    path = target.without_md if how & 1 else target
    relative = "/".join([".."] * source.count("/") + [path])
    if relative == path:
        relative = f"./{path}"
    return [
        path,
        path.rpartition("/")[2],
        relative,
        f"/{path}",
        path.upper(),
        "/".join(path.split("/")[-2:]),
        "nowhere",
    ][how // 2 % 7]


def form(text: str, how: int) -> str:
    encoded = text.replace(" ", "%20").replace("(", "%28").replace(")", "%29")
    name = P(text).basename
    return [
        f"[[{text}]]",
        f"![[{text}#H|{name}]]",
        f"| [[{text}\\|al]] |\n",
        f"[{name}]({encoded})",
        f'[x](<{text}#H> "title")',
        f"`[[{text}]]`",
        f"\n\n```\n[[{text}]]\n```\n\n",
        f"![100]({encoded})",
        f"%% [[{text}|x]] %%",
    ][how % 9]


@st.composite
def vaults(draw: st.DrawFn) -> dict[str, str]:
    paths = draw(st.lists(PATHS, min_size=2, max_size=7, unique_by=lambda path: path.key))
    tree: dict[str, str] = {}
    for path in paths:
        links = draw(st.lists(st.tuples(st.sampled_from(paths), st.integers(0, 13), st.integers(0, 8)), max_size=5))
        texts = [said(target, path, how) for target, how, _ in links]
        forms = [form(text, how) for text, (_, _, how) in zip(texts, links, strict=True)]
        if path.extension == "canvas":
            cards: list[dict[str, Any]] = [{"id": str(n), "type": "text", "text": f} for n, f in enumerate(forms)]
            cards += [
                {"id": "f", "type": "file", "file": paths[0]},
                {"id": "g", "type": "group", "background": paths[-1]},
            ]
            tree[path] = json.dumps({"nodes": cards, "edges": []})
        elif path.extension == "md":
            newline = "\r\n" if len(links) % 2 else "\n"
            properties = "".join(f"k{n}: '[[{text}|x]]'\n" for n, text in enumerate(texts[:2]))
            head = f"---\n{properties}---\n" if properties else ""
            tree[path] = (head + "text\n" + " and ".join(forms)).replace("\n", newline)
        else:
            tree[path] = "bytes"
    return tree


@given(
    vaults(),
    st.sampled_from(["shortest", "relative", "absolute"]),
    st.integers(0, 6),
    st.sampled_from(FOLDERS),
    st.sampled_from(["A", "B", "a B", "new", "v1.2", "v2.0"]),
)
@settings(max_examples=35, deadline=None)
def test_law_after_a_move_every_link_leads_where_it_led(
    tree: dict[str, str], link_format: str, which: int, folder: str, name: str
) -> None:
    with vault({**tree, ".obsidian/app.json": json.dumps({"newLinkFormat": link_format})}) as served:
        before, source = files(served), P(sorted(tree)[which % len(tree)])
        to = f"{folder}/{name}{source.name[len(source.basename) :]}"
        reply = served.call("move_note", identifier=source, destination_path=to, output_format="json")
        if reply.is_error:
            assert files(served) == before
            return
        assert reply.structured is not None
        moved = {source: P(reply.structured["destination"])}
        after = files(served)
        check(before, after, moved)
        told = {P(f["file_path"]) for f in reply.structured["relinked"]}
        assert told == {moved.get(p, p) for p, data in before.items() if after[moved.get(p, p)] != data}
        served.ok("undo", change=reply.structured["change"])
        assert files(served) == before


@given(
    vaults(),
    st.sampled_from(["x", "x/y", "Zed", "x y"]),
    st.sampled_from(["X", "new", "x/new", "Zed/in", "zed", "x/Y"]),
)
@settings(max_examples=25, deadline=None)
def test_law_after_a_folder_moved_every_link_leads_where_it_led(tree: dict[str, str], folder: str, to: str) -> None:
    with vault(tree) as served:
        before, were = files(served), folders(served)
        reply = served.call(
            "move_note", identifier=folder, destination_path=to, is_directory=True, output_format="json"
        )
        if reply.is_error:
            assert files(served) == before
            return
        assert reply.structured is not None
        path = reply.structured["destination"]
        moves = {p: P(path + p[len(folder) :]) for p in before if p.is_under(folder)}
        check(before, files(served), moves)
        assert not (served.root / folder).exists() or path.startswith(f"{folder}/")
        served.ok("undo", change=reply.structured["change"])
        assert files(served) == before
        assert folders(served) == were


def test_a_failure_in_the_middle_leaves_everything_as_it_was(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    served.write("docs/Target.md", "[[Other]]")
    for n in range(5):
        served.write(f"N{n}.md", f"[[Target]] {n}")
    served.open()
    real, calls = writer.replace, 0

    def failing(place: Path, data: bytes, expected: str, *, is_lasting: bool = True) -> None:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise OSError(28, "No space left on device")
        real(place, data, expected, is_lasting=is_lasting)

    before, were = files(served), folders(served)
    monkeypatch.setattr(writer, "replace", failing)
    served.call("move_note", identifier="Target", destination_path="new/deep/Renamed")
    assert calls > 3
    assert files(served) == before
    assert folders(served) == were
    monkeypatch.undo()
    served.ok("move_note", identifier="Target", destination_path="new/deep/Renamed")
    assert served.read("N4.md") == "[[Renamed]] 4"


def test_a_file_that_a_person_edits_meanwhile_keeps_the_edit(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    served.write("Target.md", "x")
    served.write("N.md", "[[Target]]")
    served.open()
    real, edited = writer.replace, False

    def after_a_person(place: Path, data: bytes, expected: str, *, is_lasting: bool = True) -> None:
        nonlocal edited
        if not edited:
            edited = True
            place.write_text("person [[Target]] too")
        real(place, data, expected, is_lasting=is_lasting)

    monkeypatch.setattr(writer, "replace", after_a_person)
    served.ok("move_note", identifier="Target", destination_path="Renamed")
    assert served.read("N.md") == "person [[Renamed]] too"


@pytest.mark.parametrize(("path", "folder"), [("", ""), ("a", "b"), (" ", " ")])
def test_a_destination_is_one_of_two(path: str, folder: str) -> None:
    with pytest.raises(Invalid):
        Destination(path, folder)
