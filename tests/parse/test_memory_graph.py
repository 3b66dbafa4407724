import json

import pytest

from sidecar.errors import Invalid
from sidecar.parse.memory_file import MemoryType
from sidecar.parse.memory_graph import memories_in

GRAPH = [
    {
        "type": "entity",
        "name": "Ada Lovelace",
        "entityType": "person",
        "observations": ["Likes tea", "Works at\nnight"],
    },
    {"type": "entity", "name": "Ada-Lovelace", "entityType": "ship", "observations": []},
    {"type": "relation", "from": "Ada Lovelace", "to": "Ada-Lovelace", "relationType": "sails on"},
    {"type": "relation", "from": "Ada Lovelace", "to": "Nobody"},
]


def test_entities_become_memories_and_relations_links() -> None:
    ada, ship = memories_in("\n".join(map(json.dumps, GRAPH)) + "\n\n")
    assert (ada.name, ada.type, ada.description) == (
        "ada-lovelace",
        MemoryType.USER,
        "Ada Lovelace (person): Likes tea",
    )
    assert ada.body == "- Likes tea\n- Works at night\n\n- sails on [[ada-lovelace-2]]\n- relates to [[Nobody]]"
    assert (ship.name, ship.type, ship.body) == ("ada-lovelace-2", MemoryType.REFERENCE, "")


@pytest.mark.parametrize("line", ["{", "[]", "3"])
def test_a_line_that_is_no_object_is_named(line: str) -> None:
    with pytest.raises(Invalid, match="Line 2"):
        list(memories_in(f"{{}}\n{line}"))
