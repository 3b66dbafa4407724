/** Notes open in editors of the mock app, which saves them as the app would. */

import { MarkdownView as MockMarkdownView, WorkspaceLeaf as MockLeaf, type App as MockApp } from "obsidian-test-mocks/obsidian";
import type { MarkdownView } from "obsidian";
import { createHash } from "node:crypto";
import { vi } from "vitest";

export const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

export interface OpenNote {
	view: MockMarkdownView;
	/** What is in the editor. */
	text: () => string;
	type: (text: string) => void;
	save: ReturnType<typeof vi.spyOn>;
}

/** Open a note in a tab; `mode` is what the tab shows it as. */
export async function openNote(mock: MockApp, path: string, mode: "source" | "preview" = "source"): Promise<OpenNote> {
	const leaf = MockLeaf.create2__(mock);
	const view = MockMarkdownView.create2__(leaf);
	const file = mock.vault.getFileByPath(path);
	if (file === null) throw new Error(`no ${path}`);
	view.file = file;
	view.setViewData((await mock.vault.read(file)).replace(/^\uFEFF/, "").replace(/\r\n/g, "\n"), true);
	vi.spyOn(view, "getMode").mockReturnValue(mode);
	const save = vi.spyOn(view, "save").mockImplementation(() => mock.vault.modify(file, view.editor.getValue()));
	leaf.view = view as unknown as NonNullable<typeof leaf.view>;
	await leaf.setViewState({ type: "markdown", state: { file: path } });
	(mock.workspace as unknown as { leaves: MockLeaf[] }).leaves.push(leaf);
	return { view, text: () => view.editor.getValue(), type: (text) => view.editor.setValue(view.editor.getValue() + text), save };
}

export const asView = (note: OpenNote): MarkdownView => note.view as unknown as MarkdownView;

export async function onDisk(mock: MockApp, path: string): Promise<string> {
	return mock.vault.adapter.read(path);
}
