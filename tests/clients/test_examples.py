"""Each example of Basic Memory's page of tools, in the order of the page, through a real client and the real daemon."""

import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from sidecar.registry import Registry
from sidecar.services.projects import Projects
from tests.daemon.daemons import Home

pytestmark = pytest.mark.slow

NOTES = {
    ".obsidian/app.json": '{"trashOption": "local"}',
    "docs/Meeting Notes.md": "# Meeting Notes\n\n- [decision] weekly standup meeting, an exact phrase and a keyword\n",
    "specs/Search Spec.md": "---\naliases: [Search Specification]\nstatus: in-progress\npriority: high\n---\n\nSearch.\n",
    "specs/api-spec.md": "---\ntype: spec\n---\n# API\n\n## Implementation\n\nold\n\n## Other\n\nkept\n",
    "specs/Old API Design.md": "implements [[Authentication]]\n",
    "project-planning.md": "---\ntags: [security]\n---\nproject planning, meeting notes\n",
    "config-spec.md": "version v0.12.0\n",
    "api-docs.md": "v2.0.0 and v2.0.0 and v2.0.0\n",
    "docs/guide.md": "old-api\n\nold-api\n\nold-api old-api old-api\n",
    "docs/setup.md": "## Setup\n\n### Installation\n\nold\n\n### Use\n\nkept\n",
    "docs/meeting-plan.md": "keyword term1 term2 project meeting discussion bug report\n",
    "docs/meeting-notes-2025.md": "- [requirement] req for the machine\n- depends_on [[Search Spec]]\n",
    "project-plan.md": "# Plan\n\n## Now\n\nwork\n",
    "status-report.md": "- a: Not Started\n- b: Not Started\n",
    "My Note.md": "mine\n",
    "my-note-permalink.md": "other\n",
    "my-note.md": "third\n",
    "experiments/ml-results.md": "---\ntitle: Machine Learning\n---\n",
    "experiments/ml-model-results.md": "Machine Learning\n",
    "projects/2024/Old.md": "[[My Note]]\n",
    "notes/project-planning-2.md": "term1\n",
    "docs/project-specs.md": "# Specs\n",
    "docs/architecture.md": "# Architecture\n",
    "assets/diagram.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "config/settings.json": '{"a": 1}\n',
    "components/memory-service.md": "[[Search Spec]]\n",
    "archive/docs/2024-01 Old.md": "old docs\n",
    "meetings/Weekly Standup.md": "every week\n",
    "old-draft.md": "draft\n",
    "people/paul-graham.md": "---\ntype: person\n---\n- [name] Paul\n- [role] writer\n",
    "people/jessica.md": "---\ntype: person\n---\n- [name] Jessica\n",
    "schemas/Person.md": "---\ntype: schema\nentity: person\nschema:\n  name: string\n  role?: string\n---\n",
    "meetings/planning.md": "---\ntype: meeting\n---\n- [topic] plan\n",
}

SEARCHES: list[dict[str, Any]] = [
    {"project": "my-project", "query": "keyword"},
    {"project": "work-docs", "query": "'exact phrase'"},
    {"project": "my-project", "query": "term1 term2"},
    {"project": "my-project", "query": "term1 AND term2"},
    {"project": "my-project", "query": "term1 OR term2"},
    {"project": "my-project", "query": "term1 NOT term2"},
    {"project": "my-project", "query": "(project OR planning) AND notes"},
    {"project": "research", "query": "tag:security"},
    {"project": "work-project", "query": "req", "entity_types": ["observation"], "categories": ["requirement"]},
    {"project": "team-docs", "query": "status:in-progress"},
    {"project": "my-project", "query": "Meeting", "search_type": "title"},
    {"project": "work-docs", "query": "docs/meeting-*", "search_type": "permalink"},
    {"project": "research", "query": "keyword"},
    {"project": "my-project", "query": "meeting", "note_types": ["note"]},
    {"project": "work-docs", "query": "Paul", "note_types": ["note", "person"]},
    {"project": "research", "query": "req", "entity_types": ["observation"]},
    {"project": "team-docs", "query": "keyword", "after_date": "2024-01-01"},
    {"project": "team-docs", "query": "keyword", "after_date": "1 week"},
    {"project": "my-project", "query": "meeting", "tags": ["security"]},
    {"project": "my-project", "query": "search", "status": "in-progress"},
    {"project": "my-project", "query": "search", "metadata_filters": {"priority": {"$in": ["high"]}}},
    {"metadata_filters": {"type": "spec"}, "project": "my-project"},
    {"tags": ["security"], "project": "my-project"},
    {"status": "in-progress", "project": "my-project"},
    {"project": "work-project", "query": "project AND (meeting OR discussion)"},
    {"project": "research", "query": '"exact phrase" AND keyword'},
    {"project": "dev-notes", "query": "bug NOT fixed"},
    {"project": "archive", "query": "archive/docs/2024-*", "search_type": "permalink"},
    {"query": "project planning"},
    {"query": '"weekly standup meeting"'},
    {"query": "Machine Learning", "search_type": "title", "search_all_projects": True},
    {"query": "(bug OR issue) AND NOT resolved", "note_types": ["note"], "after_date": "2024-01-01"},
    {"query": "bug report", "project": "my-project"},
]

# A name in front of the identifier or the query is the project. Where a project of the page is named like a folder of
# another example, that one names its own project.
EXAMPLES: list[tuple[str, dict[str, Any]]] = [
    ("write_note", {"project": "my-research", "title": "Weekly Notes", "directory": "meetings",
                    "content": "# Weekly Standup\n\n- [decision] Use SQLite for storage #tech"}),
    ("write_note", {"project": "work-project", "title": "API Design", "directory": "specs",
                    "content": "# REST API Specification\n\n- implements [[Authentication]]",
                    "tags": ["api", "design"], "note_type": "guide"}),
    ("write_note", {"project": "my-research", "title": "Meeting Notes", "directory": "docs", "overwrite": True,
                    "content": "# Weekly Standup\n\n- [decision] Use PostgreSQL instead #tech"}),
    ("write_note", {"title": "Person 2", "directory": "schemas", "note_type": "schema",
                    "content": "# Person\n\nSchema for person entities.",
                    "metadata": {"entity": "person", "version": 1, "schema": {"name": "string", "role?": "string"},
                                 "settings": {"validation": "warn"}}}),
    ("read_note", {"project": "my-research", "identifier": "specs/search-spec"}),
    ("read_note", {"project": "work-project", "identifier": "Search Specification"}),
    ("read_note", {"project": "my-research", "identifier": "memory://specs/search-spec"}),
    ("read_note", {"project": "team-docs", "identifier": "Weekly Standup"}),
    ("view_note", {"identifier": "Meeting Notes"}),
    ("view_note", {"identifier": "meetings/weekly-standup"}),
    ("view_note", {"identifier": "Meeting Notes", "project": "my-project"}),
    ("edit_note", {"project": "my-project", "identifier": "project-planning", "operation": "append",
                   "content": "\n## New Requirements\n- Feature X\n- Feature Y"}),
    ("edit_note", {"project": "work-docs", "identifier": "docs/meeting-notes", "operation": "prepend",
                   "content": "## 2025-05-25 Update\n- Progress update...\n\n"}),
    ("edit_note", {"project": "api-project", "identifier": "config-spec", "operation": "find_replace",
                   "content": "v0.13.0", "find_text": "v0.12.0"}),
    ("edit_note", {"project": "docs-project", "identifier": "api-docs", "operation": "find_replace",
                   "content": "v2.1.0", "find_text": "v2.0.0", "expected_replacements": 3}),
    ("edit_note", {"project": "team-docs", "identifier": "docs/guide", "operation": "find_replace",
                   "content": "new-api", "find_text": "old-api", "expected_replacements": 5}),
    ("edit_note", {"project": "specs", "identifier": "api-spec", "operation": "replace_section",
                   "content": "New implementation approach...\n", "section": "## Implementation"}),
    ("edit_note", {"project": "docs", "identifier": "docs/setup", "operation": "replace_section",
                   "content": "Updated install steps\n", "section": "### Installation"}),
    ("edit_note", {"project": "work-project", "identifier": "Meeting Notes", "operation": "append",
                   "content": "\n- Follow up on action items"}),
    ("edit_note", {"project": "work-project", "identifier": "docs/meeting-notes", "operation": "append",
                   "content": "\n- Follow up tasks"}),
    ("search_notes", {"project": "work-project", "query": "meeting"}),
    ("edit_note", {"project": "work-project", "identifier": "docs/meeting-notes-2025", "operation": "append",
                   "content": "content"}),
    ("edit_note", {"project": "planning", "identifier": "project-plan", "operation": "replace_section",
                   "content": "TBD - needs research\n", "section": "## Future Work"}),
    ("edit_note", {"project": "reports", "identifier": "status-report", "operation": "find_replace",
                   "content": "In Progress", "find_text": "Not Started", "expected_replacements": 2}),
    ("move_note", {"identifier": "My Note", "destination_path": "work/notes/my-note.md"}),
    ("move_note", {"identifier": "my-note-permalink", "destination_path": "archive/old-notes/my-note.md"}),
    ("move_note", {"identifier": "my-note", "destination_folder": "archive"}),
    ("move_note", {"identifier": "experiments/ml-results", "destination_path": "archive/2025/ml-experiments.md"}),
    ("move_note", {"identifier": "My Note", "destination_path": "work/notes/my-note.md", "project": "work-project"}),
    ("move_note", {"identifier": "docs", "destination_path": "archive/docs-moved", "is_directory": True}),
    ("move_note", {"identifier": "projects/2024", "destination_path": "archive/projects/2024", "is_directory": True}),
    ("move_note", {"identifier": "docs/meeting-notes-2025", "destination_path": "archive/my-note.md",
                   "project": "main"}),
    ("delete_note", {"identifier": "Meeting Notes"}),
    ("delete_note", {"identifier": "notes/project-planning-2", "project": "main"}),
    ("delete_note", {"identifier": "experiments/ml-model-results", "project": "research"}),
    ("delete_note", {"identifier": "docs", "is_directory": True}),
    ("delete_note", {"identifier": "projects/2024", "is_directory": True}),
    ("delete_note", {"identifier": "old-draft"}),
    ("read_content", {"path": "docs/project-specs.md"}),
    ("read_content", {"path": "assets/diagram.svg"}),
    ("read_content", {"path": "memory://docs/architecture"}),
    ("read_content", {"path": "config/settings.json"}),
    ("read_content", {"path": "docs/project-specs.md", "project": "my-project"}),
    ("build_context", {"project": "my-project", "url": "memory://specs/search-spec"}),
    ("build_context", {"project": "work-docs", "url": "memory://components/memory-service", "depth": 2}),
    ("build_context", {"project": "research", "url": "memory://specs/search-spec", "output_format": "text"}),
    ("recent_activity", {}),
    ("recent_activity", {"timeframe": "yesterday"}),
    ("recent_activity", {"project": "work-docs", "type": "entity", "timeframe": "yesterday"}),
    ("recent_activity", {"project": "research", "type": ["entity", "relation"], "timeframe": "today"}),
    ("recent_activity", {"project": "notes", "type": "entity", "depth": 2, "timeframe": "2 weeks ago"}),
    ("list_directory", {}),
    ("list_directory", {"dir_name": "/projects"}),
    ("list_directory", {"file_name_glob": "*.md"}),
    ("list_directory", {"dir_name": "/projects", "depth": 3}),
    ("list_directory", {"dir_name": "/projects", "file_name_glob": "*meeting*"}),
    ("list_directory", {"project": "work-docs", "dir_name": "/projects"}),
    *(("search_notes", arguments) for arguments in SEARCHES),
    ("list_memory_projects", {}),
    ("list_workspaces", {}),
    ("create_memory_project", {"project_name": "my-new-research", "project_path": "NEW"}),
    ("delete_project", {"project_name": "my-new-research"}),
    ("schema_validate", {"note_type": "person"}),
    ("schema_validate", {"identifier": "people/paul-graham"}),
    ("schema_validate", {"note_type": "person", "project": "my-research"}),
    ("schema_infer", {"note_type": "person"}),
    ("schema_infer", {"note_type": "meeting", "threshold": 0.5}),
    ("schema_infer", {"note_type": "person", "project": "my-research"}),
    ("schema_diff", {"note_type": "person"}),
    ("schema_diff", {"note_type": "person", "project": "my-research"}),
    ("canvas", {"nodes": [{"id": "node1", "type": "file", "file": "docs/guide.md", "x": 0, "y": 0,
                           "width": 400, "height": 300},
                          {"id": "node2", "type": "text", "text": "two", "x": 600, "y": 0, "width": 250, "height": 60}],
                "edges": [{"id": "edge1", "fromNode": "node1", "toNode": "node2", "label": "connects to"}],
                "title": "My Canvas", "directory": "diagrams"}),
    ("canvas", {"nodes": [{"text": "a"}], "edges": [], "title": "Process Flow", "directory": "visual/maps",
                "project": "work-project"}),
    ("cloud_info", {}),
    ("release_notes", {}),
]  # fmt: skip

WRITERS = {"write_note", "edit_note", "move_note", "delete_note", "canvas"}


def made(home: Home) -> dict[str, Path]:
    """Make the vaults that the examples name, and the default one, each with all notes they ask for."""
    names = {str(arguments["project"]) for _, arguments in EXAMPLES if "project" in arguments}
    projects = Projects(Registry(home.root / "projects.json"))
    roots = {}
    for name in ("main", *sorted(names)):
        roots[name] = home.vault.parent / "vaults" / name
        for path, text in NOTES.items():
            file = roots[name] / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        projects.add(roots[name], name, default=name == "main")
    return roots


def content(root: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file() and ".trash" not in p.parts
    }


def test_every_example_of_the_page(home: Home) -> None:
    roots = made(home)
    before = {name: content(root) for name, root in roots.items()}
    home.serve()
    said: list[str] = []
    faults: list[str] = []

    async def play() -> None:
        async with home.client("auto", "--tools", "full") as client:
            for tool, given in EXAMPLES:
                arguments = {**given}
                if arguments.get("project_path") == "NEW":
                    arguments["project_path"] = str(home.vault.parent / "new")
                result = await client.call_tool(tool, arguments)
                text = "\n".join(getattr(block, "text", "") for block in result.content)
                said.append(f"{tool} {json.dumps(given, ensure_ascii=False)}\n{text}\n")
                if (
                    result.is_error
                    or (tool == "search_notes" and "Nothing matches" in text)
                    or (tool == "delete_note" and not text.startswith("true\n"))
                ):
                    faults.append(said[-1])
                elif tool in WRITERS:
                    project = arguments.get("project", "main")
                    changed = content(roots[project]) != before[project]
                    await client.call_tool("undo", {"project": project})
                    if not changed or content(roots[project]) != before[project]:
                        faults.append(said[-1])

    anyio.run(play)
    assert not faults, "\n".join(faults)
    assert len(said) == len(EXAMPLES)
