/** A place in the vault: opened, previewed, dragged. */

import { Notice, type App, type HoverParent, type PaneType, type TFile, type View } from "obsidian";
import { report } from "../report";

export interface Place {
	path: string;
	/** Counted from 1. */
	line?: number | null;
	/** `#Heading` or `#^block`. */
	subpath?: string | null;
	/** The card of a canvas. */
	node_id?: string | null;
}

/** What the canvas view has and the public API does not tell; each member may be missing in another version of the app. */
interface CanvasView extends View {
	canvas?: {
		nodes?: Map<string, unknown>;
		selectOnly?: (node: unknown) => void;
		zoomToSelection?: () => void;
	};
}

/** What the app has for dragging and does not tell in its public API. */
interface AppWithDragging extends App {
	dragManager?: {
		dragFile?: (event: DragEvent, file: TFile) => unknown;
		onDragStart?: (event: DragEvent, data: unknown) => void;
	};
}

/** Where the pointer is when the app is asked for its preview. */
export interface Hover {
	event: MouseEvent;
	/** The type of our view. */
	source: string;
	hoverParent: HoverParent;
	targetEl: HTMLElement;
}

const TRIES = 10;
const PAUSE = 100;

/** Open a note at a line, heading or block, or a canvas at a card. */
export async function openPlace(app: App, place: Place, pane: PaneType | boolean = false): Promise<void> {
	const { path, line, subpath, node_id } = place;
	const eState = typeof line === "number" && line > 0 && !subpath ? { line: line - 1 } : {};
	await app.workspace.openLinkText(path + (subpath ?? ""), "", pane, { active: true, eState });
	if (node_id) await showCard(app, path, node_id);
}

/** Open what the person clicked. The app would make a new note of a path that is gone, so that is said instead. */
export async function openIfThere(app: App, place: Place, pane: PaneType | boolean): Promise<void> {
	if (app.vault.getFileByPath(place.path) === null) new Notice(`${place.path} is not there.`);
	else await report(() => openPlace(app, place, pane));
}

/** Let the app show its preview where the person has asked for one. */
export function previewPlace(app: App, { path, line }: Place, hover: Hover): void {
	if (app.vault.getFileByPath(path) === null) return;
	const state = typeof line === "number" && line > 0 ? { scroll: line - 1 } : {};
	app.workspace.trigger("hover-link", { ...hover, linktext: path, sourcePath: path, state });
}

/** Drag the file, which gives its link where it is dropped in a note; where the app offers no dragging, as text. `false` when there is no file. */
export function dragPlace(app: App, { path }: Place, event: DragEvent): boolean {
	const file = app.vault.getFileByPath(path);
	if (file === null) return false;
	const { dragManager } = app as AppWithDragging;
	if (dragManager?.dragFile && dragManager.onDragStart) dragManager.onDragStart(event, dragManager.dragFile(event, file));
	else event.dataTransfer?.setData("text/plain", app.fileManager.generateMarkdownLink(file, ""));
	return true;
}

/** The cards of a canvas appear a moment after its view does. */
async function showCard(app: App, path: string, id: string): Promise<void> {
	for (let left = TRIES; left > 0; left--) {
		const leaf = app.workspace.getMostRecentLeaf();
		if (leaf?.getViewState().state?.["file"] === path) {
			const { canvas } = leaf.view as CanvasView;
			const node = canvas?.nodes?.get(id);
			if (node !== undefined) {
				canvas?.selectOnly?.(node);
				canvas?.zoomToSelection?.();
				return;
			}
		}
		await new Promise((resolve) => window.setTimeout(resolve, PAUSE));
	}
}
