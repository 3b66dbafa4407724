/** The editors in which a note is open, and whether they hold text that is not saved yet. */

import { FileView, MarkdownView, TextFileView, type App, type TFile, type WorkspaceLeaf } from "obsidian";

/** Leaves that are not loaded yet have no view that could say what it shows. */
const FILE_TYPES: ReadonlySet<string> = new Set(["markdown", "canvas", "bases", "image", "audio", "video", "pdf"]);

/** The views that show a note as text to edit; the one with the focus comes first. A reading view has no text of its own. */
export function editingViews(app: App, path: string): MarkdownView[] {
	const active = app.workspace.getActiveViewOfType(MarkdownView);
	const views = app.workspace.getLeavesOfType("markdown").flatMap(({ view }) => (view instanceof MarkdownView ? [view] : []));
	const editing = views.filter((view) => view.file?.path === path && view.getMode() === "source");
	return editing.sort((a, b) => Number(b === active) - Number(a === active));
}

/** The paths of all files that tabs show, each once. Panes such as the outline are about a file and do not show it. */
export function openFiles(app: App): string[] {
	const paths = new Set<string>();
	app.workspace.iterateAllLeaves((leaf) => {
		const path = shownFile(leaf);
		if (path !== null) paths.add(path);
	});
	return [...paths];
}

function shownFile(leaf: WorkspaceLeaf): string | null {
	const { view } = leaf;
	if (view instanceof FileView) return view.navigation ? (view.file?.path ?? null) : null;
	const { type, state } = leaf.getViewState();
	const file = state?.["file"];
	return leaf.isDeferred && FILE_TYPES.has(type) && typeof file === "string" ? file : null;
}

/** The paths of open files whose text differs from the disk's. */
export async function unsavedFiles(app: App): Promise<string[]> {
	const paths = new Set<string>();
	const notes: MarkdownView[] = [];
	app.workspace.iterateAllLeaves(({ view }) => {
		if (view instanceof MarkdownView) notes.push(view);
		else if (view instanceof TextFileView && view.file !== null && isDirty(view)) paths.add(view.file.path);
	});
	for (const { file, editor } of notes.filter((view) => view.getMode() === "source")) {
		if (file !== null && (await isUnsaved(app, file, () => editor.getValue()))) paths.add(file.path);
	}
	return [...paths];
}

/** Whether an editor of this note holds what is not on the disk. */
export async function hasUnsavedText(app: App, file: TFile): Promise<boolean> {
	for (const { editor } of editingViews(app, file.path)) {
		if (await isUnsaved(app, file, () => editor.getValue())) return true;
	}
	return false;
}

async function isUnsaved(app: App, file: TFile, text: () => string): Promise<boolean> {
	const saved = await app.vault.cachedRead(file).catch(() => null);
	return saved !== null && asInEditor(saved) !== asInEditor(text());
}

/** An editor knows neither the mark at the beginning of a file nor other line breaks than its own. */
function asInEditor(text: string): string {
	return text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
}

/** The app's own mark, which the public API does not tell; for canvases and other files whose text no editor holds. */
function isDirty(view: TextFileView): boolean {
	return "dirty" in view && view.dirty === true;
}
