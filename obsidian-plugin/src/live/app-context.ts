/** What is open, selected and unsaved in the app, as the daemon is told it. */

import type { App } from "obsidian";
import { openFiles, unsavedFiles } from "./editors";

export interface SelectionTold {
	path: string;
	text: string;
	/** Counted from 1. */
	line_from: number;
	line_to: number;
}

export interface AppContext {
	window_id: string;
	active_file: string | null;
	selection: SelectionTold | null;
	open_files: string[];
	unsaved: string[];
}

/** The daemon takes no more. */
const MOST_FILES = 2000;
/** Characters; who wants more reads the note. */
const MOST_SELECTED = 100_000;

export async function appContext(app: App): Promise<AppContext> {
	return {
		window_id: activeWindow === window ? "main" : "popout",
		active_file: app.workspace.getActiveFile()?.path ?? null,
		selection: selection(app),
		open_files: openFiles(app).slice(0, MOST_FILES),
		unsaved: (await unsavedFiles(app)).slice(0, MOST_FILES),
	};
}

function selection(app: App): SelectionTold | null {
	const { editor, file } = app.workspace.activeEditor ?? {};
	const text = editor?.getSelection() ?? "";
	if (!editor || !file || text === "") return null;
	const line = (side: "from" | "to"): number => editor.getCursor(side).line + 1;
	return { path: file.path, text: text.slice(0, MOST_SELECTED), line_from: line("from"), line_to: line("to") };
}
