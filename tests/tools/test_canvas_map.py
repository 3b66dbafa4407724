import json
from typing import Any

import pytest

from sidecar.canvas.codec import loads
from sidecar.canvas.layout.geometry import Box, box_of
from sidecar.canvas.layout.quality import overlaps
from sidecar.canvas.model import fields_of
from tests.conftest import Served
from tests.tools.test_canvas_read import board, card

NOTES = {
    "Home.md": "# Home\n\n## Work\n\n[[Plan]] and [[Team]]\n\n- leads_to [[Goal]]\n",
    "Plan.md": "---\nstatus: open\ntags: [work]\nup: '[[Goal]]'\n---\n[[Home]]\n",
    "Team.md": "---\nstatus: done\ntags: [work, people]\n---\n",
    "Goal.md": "---\nstatus: open\ntags: [work]\ndate: 2026-05-01\n---\n",
    "Area/Far.md": "---\ntags: [work]\n---\n[[Team]]\n",
    "Area/Alone.md": "nothing\n",
}


@pytest.fixture
def vault(served: Served) -> Served:
    for path, text in NOTES.items():
        served.write(path, text)
    return served


def canvas(served: Served, path: str = "Map.canvas") -> dict[str, Any]:
    found: dict[str, Any] = json.loads(served.read(path))
    return found


def shown(served: Served, path: str = "Map.canvas") -> set[str]:
    return {node["file"] for node in canvas(served, path)["nodes"] if node["type"] == "file"}


def lines(served: Served, path: str = "Map.canvas") -> dict[tuple[str, str], str]:
    drawn = canvas(served, path)
    names = {node["id"]: node.get("file", "") for node in drawn["nodes"]}
    return {(names[e["fromNode"]], names[e["toNode"]]): e.get("label", "") for e in drawn["edges"]}


def places(served: Served, path: str = "Map.canvas") -> dict[str, Box]:
    nodes = [fields_of(node) for node in loads(served.read(path)).nodes]
    return {str(n["id"]): box for n in nodes if n["type"] != "group" and (box := box_of(n))}


def moved(served: Served, file: str, **fields: Any) -> None:
    """Let a person change a card in Obsidian, which keeps what it does not know (J5)."""
    drawn = canvas(served)
    for node in drawn["nodes"]:
        if node.get("file") == file:
            node.update(fields)
    served.write("Map.canvas", json.dumps(drawn))


def test_the_neighbourhood_of_a_note(vault: Served) -> None:
    made = vault.ok("canvas_map", path="Map", source="note:Home")
    assert (made["action"], made["cards"], made["file_path"]) == ("created", 4, "Map.canvas")
    assert shown(vault) == {"Home.md", "Plan.md", "Team.md", "Goal.md"}
    assert lines(vault) == {
        ("Home.md", "Plan.md"): "Work",
        ("Home.md", "Team.md"): "Work",
        ("Home.md", "Goal.md"): "leads to",
        ("Plan.md", "Goal.md"): "up",
    }
    both = [edge for edge in canvas(vault)["edges"] if edge.get("fromEnd") == "arrow"]
    assert len(both) == 1
    assert all({"fromSide", "toSide"} <= edge.keys() for edge in canvas(vault)["edges"])
    assert overlaps(places(vault)) == 0
    assert vault.ok("canvas_map", path="Two", source="Home", depth=2)["cards"] == 5


@pytest.mark.parametrize(
    ("source", "files"),
    [
        ("tag:#work", {"Plan.md", "Team.md", "Goal.md", "Area/Far.md"}),
        ("tag: people", {"Team.md"}),
        ("folder:Area", {"Area/Far.md", "Area/Alone.md"}),
        ("search:nothing", {"Area/Alone.md"}),
        ("property:status=open", {"Plan.md", "Goal.md"}),
        ("property:status", {"Plan.md", "Goal.md", "Team.md"}),
        (["Home", "[[Team]]"], {"Home.md", "Team.md"}),
        (["tag:people", "folder:Area"], {"Team.md", "Area/Far.md", "Area/Alone.md"}),
    ],
)
def test_sources(vault: Served, source: Any, files: set[str]) -> None:
    vault.ok("canvas_map", path="Map", source=source)
    assert shown(vault) == files


def test_errors(vault: Served) -> None:
    vault.write("x/Home.md", "")
    vault.reindex()
    assert vault.fails("canvas_map", "not_found", path="Map", source="tag:wor")["candidates"] == ["tag:#work"]
    assert vault.fails("canvas_map", "not_found", path="Map", source="property:status=opn")["candidates"]
    vault.fails("canvas_map", "not_found", path="Map", source="note:Nowhere")
    vault.fails("canvas_map", "not_found", path="Map", source="folder:Nowhere")
    vault.fails("canvas_map", "not_found", path="Map", source="search:zzzz")
    vault.write("y/Twin.md", "")
    vault.write("z/Twin.md", "")
    vault.reindex()
    assert len(vault.fails("canvas_map", "ambiguous", path="Map", source="Twin")["candidates"]) == 2
    assert "yet" in vault.fails("canvas_map", "invalid", path="Map", source="base:Things.base#All")["message"]
    assert "several maps" in vault.fails("canvas_map", "invalid", path="Map", source="Plan", limit=61)["next"]
    vault.fails("canvas_map", "invalid", path="Map", source="Plan", limit=0)
    vault.fails("canvas_map", "invalid", path="Map", source="Plan", depth=4)
    vault.fails("canvas_map", "invalid", path="Map", source="")
    vault.fails("canvas_map", "invalid", path="Map", source=[])
    vault.fails("canvas_map", "invalid", path="Map", source="tag:")
    vault.fails("canvas_map", "invalid", path="Ma|p", source="Plan")
    vault.fails("canvas_map", "refused", path="../Map", source="Plan")
    vault.fails("canvas_map", "invalid", path="Map", source="Plan", group_by="property:")


def test_groups_colours_and_a_legend(vault: Served) -> None:
    made = vault.ok("canvas_map", path="Map", source="tag:work", group_by="folder", color_by="property:status")
    assert made["colors"] == {"open": "red", "done": "orange"}
    drawn = canvas(vault)
    groups = [node for node in drawn["nodes"] if node["type"] == "group"]
    assert {group["label"] for group in groups} == {"vault", "Area"}
    (legend,) = [node for node in drawn["nodes"] if node["type"] == "text"]
    assert legend["text"] == "**Colours: status**\n- red: open\n- orange: done"
    colors = {node["file"]: node.get("color") for node in drawn["nodes"] if node["type"] == "file"}
    assert colors == {"Plan.md": "1", "Goal.md": "1", "Team.md": "2", "Area/Far.md": None}
    for group in groups:
        inside = {
            node["file"]
            for node in drawn["nodes"]
            if node["type"] == "file"
            and group["x"] < node["x"]
            and group["y"] < node["y"]
            and node["x"] + node["width"] < group["x"] + group["width"]
            and node["y"] + node["height"] < group["y"] + group["height"]
        }
        assert inside == ({"Area/Far.md"} if group["label"] == "Area" else {"Plan.md", "Goal.md", "Team.md"})
    assert overlaps(places(vault)) == 0


def test_what_no_note_answers_to_is_told(vault: Served) -> None:
    made = vault.ok("canvas_map", path="Map", source="tag:work", group_by="nonsense", color_by="property:nothing")
    assert made["warnings"] == [
        "group_by: no note on the map has 'nonsense'.",
        "color_by: no note on the map has 'property:nothing'.",
    ]


def test_asked_again_nothing_changes(vault: Served) -> None:
    asked: dict[str, Any] = {"path": "Map", "source": "tag:work", "group_by": "folder", "color_by": "status"}
    vault.ok("canvas_map", **asked)
    before = vault.read("Map.canvas")
    again = vault.ok("canvas_map", **asked)
    assert (again["action"], again["change"]) == ("unchanged", None)
    assert vault.read("Map.canvas") == before


def test_same_vault_same_bytes(vault: Served) -> None:
    vault.ok("canvas_map", path="Map", source="tag:work", color_by="tag")
    first = vault.read("Map.canvas")
    vault.ok("undo")
    vault.ok("canvas_map", path="Map", source="tag:work", color_by="tag")
    assert vault.read("Map.canvas") == first


def test_an_update_adds_and_removes_what_it_made_and_moves_nothing(vault: Served) -> None:
    vault.ok("canvas_map", path="Map", source="note:Home")
    before = places(vault)
    vault.write("Home.md", "# Home\n\n[[Plan]] [[Goal]] [[Alone]]\n")
    vault.reindex()
    done = vault.ok("canvas_map", path="Map", source="note:Home")
    assert (done["added"], done["removed"]) == (["Area/Alone.md"], ["Team.md"])
    assert shown(vault) == {"Home.md", "Plan.md", "Goal.md", "Area/Alone.md"}
    assert ("Home.md", "Team.md") not in lines(vault)
    assert lines(vault)["Home.md", "Plan.md"] == ""
    after = places(vault)
    assert all(after[name] == before[name] for name in before.keys() & after.keys())
    assert overlaps(after) == 0
    vault.ok("undo")
    assert shown(vault) == {"Home.md", "Plan.md", "Team.md", "Goal.md"}


@pytest.mark.parametrize("change", [{"x": -5000}, {"height": 500}, {"color": "5"}])
def test_a_card_that_a_person_changed_stays(vault: Served, change: dict[str, Any]) -> None:
    vault.ok("canvas_map", path="Map", source="note:Home")
    moved(vault, "Team.md", **change)
    (theirs,) = [node for node in canvas(vault)["nodes"] if node.get("file") == "Team.md"]
    vault.write("Home.md", "[[Plan]]\n")
    vault.reindex()
    done = vault.ok("canvas_map", path="Map", source="note:Home")
    assert (done["kept"], done["removed"]) == (["Team.md"], ["Goal.md"])
    assert theirs in canvas(vault)["nodes"]


def test_a_card_that_a_person_joined_stays(vault: Served) -> None:
    vault.ok("canvas_map", path="Map", source="note:Home")
    vault.ok("canvas_edit", path="Map", operations=[{"op": "connect", "from": "Team", "to": "Goal", "label": "mine"}])
    vault.write("Home.md", "[[Plan]] [[Goal]]\n")
    vault.reindex()
    assert vault.ok("canvas_map", path="Map", source="note:Home")["kept"] == ["Team.md"]
    assert lines(vault)["Team.md", "Goal.md"] == "mine"


def test_what_a_person_took_away_does_not_come_back(vault: Served) -> None:
    vault.ok("canvas_map", path="Map", source="note:Home")
    drawn = canvas(vault)
    (gone,) = [node["id"] for node in drawn["nodes"] if node.get("file") == "Team.md"]
    drawn["nodes"] = [node for node in drawn["nodes"] if node["id"] != gone]
    drawn["edges"] = [e for e in drawn["edges"] if gone not in (e["fromNode"], e["toNode"]) and e.get("label") != "up"]
    vault.write("Map.canvas", json.dumps(drawn))
    for _ in range(2):
        done = vault.ok("canvas_map", path="Map", source="note:Home")
        assert done["left_away"] == ["Team.md"]
        assert "Team.md" not in shown(vault)
        assert ("Plan.md", "Goal.md") not in lines(vault)


def test_a_line_that_a_person_relabelled_stays(vault: Served) -> None:
    vault.ok("canvas_map", path="Map", source="note:Home")
    drawn = canvas(vault)
    for edge in drawn["edges"]:
        edge["label"] = "own words" if edge.get("label") == "up" else edge.get("label", "")
    vault.write("Map.canvas", json.dumps(drawn))
    vault.write("Plan.md", "---\nparent: '[[Goal]]'\n---\n[[Home]]\n")
    vault.reindex()
    vault.ok("canvas_map", path="Map", source="note:Home")
    assert lines(vault)["Plan.md", "Goal.md"] == "own words"


def test_cards_of_a_person_stay_to_the_byte_and_are_used(vault: Served) -> None:
    own = {"id": "mine", "type": "file", "file": "Plan.md", "x": 7, "y": 7, "width": 333, "height": 111, "odd": [1]}
    text = board(own, card("t", 900, 0, text="My thoughts"), kept={"v": 1})
    vault.write("Map.canvas", text)
    vault.ok("canvas_map", path="Map", source="note:Home")
    drawn = canvas(vault)
    assert drawn["nodes"][:2] == json.loads(text)["nodes"]
    assert drawn["kept"] == {"v": 1}
    assert [node["file"] for node in drawn["nodes"] if node["type"] == "file"].count("Plan.md") == 1
    assert lines(vault)["Plan.md", "Goal.md"] == "up"
    assert overlaps(places(vault)) == 0


def test_a_note_that_moved_keeps_its_card(vault: Served) -> None:
    vault.ok("canvas_map", path="Map", source="note:Home")
    before = places(vault)
    vault.ok("move_note", identifier="Team", destination_path="People/Our team.md")
    vault.ok("move_note", identifier="Map.canvas", destination_path="Maps/Map.canvas")
    done = vault.ok("canvas_map", path="Maps/Map", source="note:Home")
    assert (done["added"], done["removed"]) == ([], [])
    assert places(vault, "Maps/Map.canvas") == before


def test_another_layout_draws_only_its_own_cards_anew(vault: Served) -> None:
    vault.ok("canvas_map", path="Map", source="note:Home")
    moved(vault, "Team.md", x=-4000)
    before = places(vault)
    vault.ok("canvas_map", path="Map", source="note:Home", layout="columns", group_by="property:status")
    after = places(vault)
    still = [name for name in before if before[name] == after[name]]
    assert len(still) == 1
    assert overlaps(after) == 0
    assert [node["label"] for node in canvas(vault)["nodes"] if node["type"] == "group"] == ["open"]


def test_a_new_note_goes_into_its_group(vault: Served) -> None:
    asked: dict[str, Any] = {"path": "Map", "source": "tag:work", "group_by": "property:status"}
    vault.ok("canvas_map", **asked)
    before = places(vault)
    for number in range(3):
        vault.write(f"More{number}.md", "---\ntags: [work]\nstatus: done\n---\n")
    vault.reindex()
    vault.ok("canvas_map", **asked)
    after = places(vault)
    assert all(after[name] == box for name, box in before.items())
    assert overlaps(after) == 0
    (frame,) = [box_of(node) for node in canvas(vault)["nodes"] if node.get("label") == "done"]
    assert frame is not None
    new = [after[node["id"]] for node in canvas(vault)["nodes"] if str(node.get("file")).startswith("More")]
    assert all(frame.x < box.x and frame.y < box.y for box in new)
    assert all(box.right < frame.right and box.bottom < frame.bottom for box in new)


def test_a_note_whose_value_changed_moves_to_its_group(vault: Served) -> None:
    asked: dict[str, Any] = {"path": "Map", "source": "tag:work", "group_by": "property:status", "color_by": "status"}
    vault.ok("canvas_map", **asked)
    vault.write("Team.md", "---\nstatus: open\ntags: [work]\n---\n")
    vault.reindex()
    done = vault.ok("canvas_map", **asked)
    assert (done["groups"], done["colors"]) == (["open"], {"open": "red"})
    assert [node["label"] for node in canvas(vault)["nodes"] if node["type"] == "group"] == ["open"]
    assert overlaps(places(vault)) == 0


def test_a_dense_map_shows_a_tree_and_the_strongest(served: Served) -> None:
    for n in range(12):
        served.write(f"N{n}.md", " ".join(f"[[N{m}]]" for m in range(12) if m != n))
    made = served.ok("canvas_map", path="Map", source=[f"N{n}" for n in range(12)])
    assert (made["lines"], made["lines_left_out"]) == (18, 48)
    assert served.ok("canvas_map", path="Map", source=[f"N{n}" for n in range(12)], max_edges=5)["lines"] == 5
    assert served.ok("canvas_map", path="Map", source=[f"N{n}" for n in range(12)], max_edges=99)["lines"] == 66


def test_a_limit_is_told(vault: Served) -> None:
    made = vault.ok("canvas_map", path="Map", source="tag:work", limit=2)
    assert (made["cards"], made["left_out"]) == (2, 2)
    (block,) = vault.call("canvas_map", path="Map", source="tag:work", limit=3).blocks
    assert "1 more notes are not on it" in block


def test_timeline(vault: Served) -> None:
    vault.write("2026-01-05.md", "#work")
    vault.reindex()
    vault.ok("canvas_map", path="Map", source="tag:work", layout="timeline")
    nodes = {node["file"]: node for node in canvas(vault)["nodes"]}
    assert nodes["2026-01-05.md"]["x"] < nodes["Goal.md"]["x"]


def test_a_changed_canvas_is_refused_when_a_checksum_is_given(vault: Served) -> None:
    made = vault.ok("canvas_map", path="Map", source="note:Home")
    moved(vault, "Team.md", x=-900)
    vault.fails("canvas_map", "stale", path="Map", source="note:Home", expected_checksum=made["checksum"])
    vault.write("Map.canvas", "[]")
    vault.fails("canvas_map", "invalid", path="Map", source="note:Home")


def test_c27_denied_notes_are_on_no_map(guarded: Served) -> None:
    guarded.write("Open.md", "---\ntags: [x]\n---\n[[Hid]] [[Later]]")
    guarded.write("Later.md", "---\ntags: [x]\n---\n")
    guarded.write("Secret/Hid.md", "---\ntags: [x]\nup: '[[Open]]'\n---\n")
    guarded.write("Hid2.md", "---\ntags: [x]\nprivate: true\n---\n[[Open]]")
    for source in ("note:Open", "tag:x", "folder:/"):
        guarded.ok("canvas_map", path="Map", source=source)
        assert shown(guarded) <= {"Open.md", "Later.md"}
    guarded.write("Later.md", "---\ntags: [x]\nprivate: true\n---\n")
    guarded.reindex()
    guarded.ok("canvas_map", path="Map", source="tag:x")
    assert "Later" not in guarded.read("Map.canvas")
    guarded.fails("canvas_map", "not_found", path="Map", source="note:Hid")
    guarded.fails("canvas_map", "refused", path="Secret/Map", source="note:Open")
    guarded.fails("canvas_map", "refused", path="Sources/Map", source="note:Open")


@pytest.mark.parametrize(
    "record",
    ["7", '{"map":3}', '{"map":{"source":"x"}}', '{"map":{"source":["a"],"layout":"auto","made":[1],"gone":{}}}'],
)
def test_a_record_that_nobody_can_read_is_none(vault: Served, record: str) -> None:
    node = '{"id":"a","type":"text","text":"x","x":0,"y":0,"width":99,"height":99}'
    vault.write("Map.canvas", f'{{"nodes":[{node}],"edges":[],"vault-sidecar":{record}}}')
    vault.ok("canvas_map", path="Map", source="note:Home")
    assert canvas(vault)["nodes"][0] == json.loads(node)


def test_a_hostile_canvas_is_kept(vault: Served) -> None:
    odd = (
        '{"nodes":[null,3,{"type":"portal","id":"p"},{"id":"a","type":"file","file":"Plan.md","x":null,"y":1e999},'
        '{"id":"a","type":"text","text":"t","x":0.5,"y":0,"width":9,"height":9}],'
        '"edges":[{"id":"e","fromNode":"a","toNode":"gone"},null]}'
    )
    vault.write("Map.canvas", odd)
    reply = vault.call("canvas_map", path="Map", source="note:Home", output_format="json")
    if not reply.is_error:
        kept = json.loads(odd)
        assert canvas(vault)["nodes"][:5] == kept["nodes"]
        assert canvas(vault)["edges"][:2] == kept["edges"]
