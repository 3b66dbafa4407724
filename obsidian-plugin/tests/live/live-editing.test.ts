import { EditorSelection, EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { Plugin } from "obsidian";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LiveEditing } from "../../src/live/live-editing";
import type { PartContext } from "../../src/parts";
import { FakeBridge, fakeApp } from "../fakes";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("looks at the context after a selection, and serves requests", async () => {
	const { app } = fakeApp({ "A.md": "one" });
	const bridge = new FakeBridge({ context: {}, "requests/r1/claim": {}, "requests/r1/result": {} });
	const registerEditorExtension = vi.fn();
	const part = new LiveEditing({ app, connection: bridge, plugin: { registerEditorExtension } as unknown as Plugin } as unknown as PartContext);
	part.load();
	const extension = registerEditorExtension.mock.calls[0]?.[0] as never;
	const editor = new EditorView({ state: EditorState.create({ doc: "one two", extensions: [extension] }) });
	editor.dispatch({ selection: EditorSelection.single(0, 3) });
	await vi.advanceTimersByTimeAsync(300);
	expect(bridge.inputs("context")).toHaveLength(1);
	editor.destroy();
	bridge.emit("trash_request", { id: "r1", path: "A.md" });
	await vi.advanceTimersByTimeAsync(0);
	expect(bridge.inputs("requests/r1/result")).toHaveLength(1);
	part.unload();
	bridge.emit("trash_request", { id: "r1", path: "A.md" });
	await vi.advanceTimersByTimeAsync(300);
	expect(bridge.inputs("requests/r1/claim")).toHaveLength(1);
});
