/** What a row does in the app: open, preview, drag. */

import type { App, HoverParent, PaneType, TFile } from "obsidian";
import { openPlace, type Place } from "../opening/place";
import { report } from "../report";
import { BACKLINKS_VIEW } from "../views";
import type { FileRow, MentionRow } from "./rows";

export type PlaceRow = FileRow | MentionRow;

/** What the app has for dragging and does not tell in its public API. */
interface AppWithDragging extends App {
	dragManager?: {
		dragFile?: (event: DragEvent, file: TFile) => unknown;
		onDragStart?: (event: DragEvent, data: unknown) => void;
	};
}

export function placeOf(row: PlaceRow): Place {
	if (row.kind === "file") return { path: row.path };
	const { path, line, node_id } = row.mention;
	return { path, line, node_id };
}

export async function openRow(app: App, row: PlaceRow, pane: PaneType | boolean): Promise<void> {
	await report(() => openPlace(app, placeOf(row), pane));
}

/** Let the app show its preview where the person has asked for one. */
export function previewRow(app: App, hoverParent: HoverParent, row: PlaceRow, event: MouseEvent, targetEl: HTMLElement): void {
	const { path, line } = placeOf(row);
	const state = typeof line === "number" && line > 0 ? { scroll: line - 1 } : {};
	app.workspace.trigger("hover-link", { event, source: BACKLINKS_VIEW, hoverParent, targetEl, linktext: path, sourcePath: path, state });
}

/** Drag the row's file; where the app offers no dragging, a link to it as text. */
export function dragRow(app: App, row: PlaceRow, event: DragEvent): void {
	const file = app.vault.getFileByPath(placeOf(row).path);
	if (file === null) return;
	const { dragManager } = app as AppWithDragging;
	if (dragManager?.dragFile && dragManager.onDragStart) dragManager.onDragStart(event, dragManager.dragFile(event, file));
	else event.dataTransfer?.setData("text/plain", app.fileManager.generateMarkdownLink(file, ""));
}
