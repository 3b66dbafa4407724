import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { WorkspaceLeaf as MockLeaf, type App as MockApp } from "obsidian-test-mocks/obsidian";
import { ContextReporter } from "../../src/live/context-reporter";
import { FakeBridge, ONLINE, fakeApp } from "../fakes";
import { openNote } from "./notes";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Desk {
	mock: MockApp;
	bridge: FakeBridge;
	reporter: ContextReporter;
	told: () => Record<string, unknown>[];
	trigger: (name: string) => void;
}

function desk(files: Record<string, string> = { "A.md": "one\ntwo\n", "B.md": "b" }): Desk {
	const { app, mock } = fakeApp(files);
	const bridge = new FakeBridge({ context: {} });
	const reporter = new ContextReporter(app, bridge);
	reporter.load();
	return { mock, bridge, reporter, told: () => bridge.inputs("context") as Record<string, unknown>[], trigger: (name) => mock.workspace.trigger(name) };
}

const moment = (): Promise<unknown> => vi.advanceTimersByTimeAsync(300);

it("tells what is open, selected and unsaved, a moment after it changed", async () => {
	const { mock, told, trigger } = desk();
	const a = await openNote(mock, "A.md");
	await openNote(mock, "B.md");
	a.view.editor.setSelection({ line: 1, ch: 0 }, { line: 0, ch: 1 });
	vi.spyOn(mock.workspace, "getActiveFile").mockReturnValue(mock.vault.getFileByPath("A.md"));
	(mock.workspace as { activeEditor: unknown }).activeEditor = a.view;
	trigger("active-leaf-change");
	await vi.advanceTimersByTimeAsync(299);
	expect(told()).toEqual([]);
	await vi.advanceTimersByTimeAsync(1);
	expect(told()).toEqual([
		{
			client_id: "client",
			window_id: "main",
			active_file: "A.md",
			selection: { path: "A.md", text: "ne\n", line_from: 1, line_to: 2 },
			open_files: ["A.md", "B.md"],
			unsaved: [],
		},
	]);
});

it.each(["active-leaf-change", "layout-change", "file-open", "editor-change"])("looks after %s and tells only what is new", async (name) => {
	const { mock, told, trigger } = desk();
	trigger(name);
	await moment();
	expect(told()).toHaveLength(1);
	trigger(name);
	await moment();
	expect(told(), "nothing changed").toHaveLength(1);
	await openNote(mock, "A.md");
	trigger(name);
	await moment();
	expect(told()).toHaveLength(2);
});

it("tells of unsaved text while the person types on, and when it was saved", async () => {
	const { mock, told, trigger } = desk();
	const a = await openNote(mock, "A.md");
	for (let key = 0; key < 10; key++) {
		a.type("x");
		trigger("editor-change");
		await vi.advanceTimersByTimeAsync(100);
	}
	expect(told().at(-1)?.["unsaved"]).toEqual(["A.md"]);
	await a.view.save();
	await moment();
	expect(told().at(-1)?.["unsaved"]).toEqual([]);
	expect(told(), "typing changes the context once").toHaveLength(2);
});

it("a mark at the beginning and other line breaks are not unsaved text", async () => {
	const { mock, told, trigger } = desk({ "A.md": "\uFEFFone\r\ntwo\r\n" });
	await openNote(mock, "A.md");
	trigger("layout-change");
	await moment();
	expect(told()[0]).toMatchObject({ open_files: ["A.md"], unsaved: [] });
});

it("a reading view has no text of its own", async () => {
	const { mock, told, trigger } = desk();
	const a = await openNote(mock, "A.md", "preview");
	a.type("not shown");
	trigger("layout-change");
	await moment();
	expect(told()[0]).toMatchObject({ open_files: ["A.md"], unsaved: [] });
});

it("panes about a file do not show it, and tabs that are not loaded yet do", async () => {
	const { mock, told, trigger } = desk();
	const outline = await openNote(mock, "A.md");
	outline.view.navigation = false;
	const leaves = (mock.workspace as unknown as { leaves: MockLeaf[] }).leaves;
	for (const [type, file] of [["markdown", "B.md"], ["outline", "A.md"]] as const) {
		const leaf = MockLeaf.create2__(mock);
		Object.defineProperty(leaf, "isDeferred", { value: true });
		await leaf.setViewState({ type, state: { file } });
		leaves.push(leaf);
	}
	trigger("layout-change");
	await moment();
	expect(told()[0]?.["open_files"]).toEqual(["B.md"]);
});

it("tells a daemon everything anew when it knows nothing of us", async () => {
	const { bridge, told, trigger } = desk();
	trigger("layout-change");
	await moment();
	bridge.emit("reset", null);
	await moment();
	expect(told()).toHaveLength(2);
	expect(told()[1]).toEqual(told()[0]);
});

it("says nothing while there is no daemon, and tries again what it could not say", async () => {
	const { bridge, told, trigger } = desk();
	bridge.emit("state", { kind: "offline" });
	trigger("layout-change");
	await moment();
	expect(told()).toEqual([]);
	bridge.emit("state", ONLINE);
	bridge.answers["context"] = () => Promise.reject(new Error("gone"));
	trigger("layout-change");
	await moment();
	bridge.answers["context"] = {};
	trigger("layout-change");
	await moment();
	expect(told()).toHaveLength(2);
});

it("looks again when something changed while it was looking", async () => {
	const { mock, bridge, told, trigger } = desk();
	let answer: () => void = () => undefined;
	bridge.answers["context"] = () => new Promise<void>((resolve) => (answer = resolve));
	trigger("layout-change");
	await moment();
	await openNote(mock, "A.md");
	trigger("layout-change");
	await moment();
	expect(told()).toHaveLength(1);
	bridge.answers["context"] = {};
	answer();
	await moment();
	expect(told().map((context) => context["open_files"])).toEqual([[], ["A.md"]]);
});

it("a long selection is told in part, and no more files than the daemon takes", async () => {
	const { mock, told, trigger } = desk({ "A.md": "x".repeat(150_000) });
	const a = await openNote(mock, "A.md");
	a.view.editor.setSelection({ line: 0, ch: 0 }, { line: 0, ch: 150_000 });
	(mock.workspace as { activeEditor: unknown }).activeEditor = a.view;
	trigger("layout-change");
	await moment();
	expect((told()[0]?.["selection"] as { text: string }).text).toHaveLength(100_000);
});

it("says nothing once it is unloaded", async () => {
	const { reporter, told, trigger } = desk();
	trigger("layout-change");
	reporter.unload();
	trigger("layout-change");
	await moment();
	expect(told()).toEqual([]);
});
