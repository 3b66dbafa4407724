/** Which parts of the note a person can mean by "only this heading". */

import type { App, TFile } from "obsidian";
import type { SectionContent } from "./rows";

const MOST = 12;

/** The heading at the cursor, then the headings and blocks that mentions name; without `#`. */
export function sectionsOf(app: App, file: TFile | null, linked: SectionContent): string[] {
	const named = linked.status === "loaded" ? linked.mentions.flatMap(({ subpath }) => (subpath === null ? [] : [subpath.replace(/^#/, "")])) : [];
	const here = file === null ? null : headingAtCursor(app, file);
	return [...new Set(here === null ? named : [here, ...named])].slice(0, MOST);
}

function headingAtCursor(app: App, file: TFile): string | null {
	const { activeEditor } = app.workspace;
	if (activeEditor?.file?.path !== file.path || activeEditor.editor === undefined) return null;
	const { line } = activeEditor.editor.getCursor();
	const headings = app.metadataCache.getFileCache(file)?.headings ?? [];
	return headings.filter(({ position }) => position.start.line <= line).at(-1)?.heading ?? null;
}
