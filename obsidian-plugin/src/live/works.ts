/** The four things the daemon may ask for. Links are its own affair: nothing here rewrites one. */

import type { App, PaneType, TFile } from "obsidian";
import { createHash } from "node:crypto";
import type { OpenRequest, RenameRequest, TextEdit, TrashRequest, WriteRequest } from "../connection/protocol";
import { openPlace } from "../opening/place";
import { editingViews, hasUnsavedText } from "./editors";
import { isSafePath } from "./safe-path";

/** `conflict`: nothing was done. `failed`: something may have been. */
export interface Result {
	outcome: "done" | "conflict" | "failed";
	sha256?: string;
	message?: string;
}

export interface Work {
	/** Whether it can be done here at all; asked before the claim. */
	isPossible: () => boolean;
	act: () => Promise<Result>;
}

const CONFLICT: Result = { outcome: "conflict" };
const DONE: Result = { outcome: "done" };
const PANES: Readonly<Record<OpenRequest["pane"], PaneType | boolean>> = { current: false, tab: "tab", split: "split", window: "window" };

/** Work on paths that are none of this vault's files is never possible. */
export function fileWork(app: App, paths: string[], work: Work): Work {
	return { ...work, isPossible: () => paths.every((path) => isSafePath(app, path)) && work.isPossible() };
}

/** Change a note in its editor, so that the person's undo, cursor and folds know of it, and save it. */
export function writeWork(app: App, request: WriteRequest): Work {
	const { path, expected_sha256, edits } = request;
	const act = async (): Promise<Result> => {
		// From the comparison to the transaction nothing may be awaited: no keystroke comes between.
		const views = editingViews(app, path);
		const [view] = views;
		if (view?.file == null || views.some(({ editor }) => sha256(editor.getValue()) !== expected_sha256)) return CONFLICT;
		const { file, editor } = view;
		const changes = edits.map(({ start, end, text }: TextEdit) => ({ from: editor.offsetToPos(start), to: editor.offsetToPos(end), text }));
		editor.transaction({ changes: changes.reverse() });
		await view.save();
		// The person may have typed on: what counts is what was saved.
		return { outcome: "done", sha256: sha256(await app.vault.read(file)) };
	};
	return { isPossible: () => editingViews(app, path).length > 0, act };
}

/** Rename a file as the app does, so that its tabs follow; links are left to the daemon. */
export function renameWork(app: App, { path, to }: RenameRequest): Work {
	return withSavedFile(app, path, async (file) => {
		const folder = to.slice(0, Math.max(0, to.lastIndexOf("/")));
		// The app may not have seen a folder yet that is on the disk; then making it fails, and renaming does not.
		if (folder !== "" && app.vault.getFolderByPath(folder) === null) await app.vault.createFolder(folder).catch(() => undefined);
		await app.vault.rename(file, to);
	});
}

/** Delete a file to where the person's setting says. */
export function trashWork(app: App, { path }: TrashRequest): Work {
	return withSavedFile(app, path, (file) => app.fileManager.trashFile(file));
}

export function openWork(app: App, request: OpenRequest): Work {
	const { path, line, subpath, node_id, pane } = request;
	const act = async (): Promise<Result> => {
		await openPlace(app, { path, line, subpath, node_id }, PANES[pane]);
		return DONE;
	};
	// The app makes a note of what it does not find.
	return { isPossible: () => app.vault.getFileByPath(path) !== null, act };
}

function withSavedFile(app: App, path: string, act: (file: TFile) => Promise<void>): Work {
	const find = (): TFile | null => app.vault.getFileByPath(path);
	return {
		isPossible: () => find() !== null,
		act: async () => {
			const file = find();
			if (file === null || (await hasUnsavedText(app, file))) return CONFLICT;
			await act(file);
			return DONE;
		},
	};
}

function sha256(text: string): string {
	return createHash("sha256").update(text, "utf8").digest("hex");
}
