/** Opens a note at a line, heading or block, or a canvas at a card. */

import type { App, PaneType, View } from "obsidian";

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

const TRIES = 10;
const PAUSE = 100;

export async function openPlace(app: App, place: Place, pane: PaneType | boolean = false): Promise<void> {
	const { path, line, subpath, node_id } = place;
	const eState = typeof line === "number" && line > 0 && !subpath ? { line: line - 1 } : {};
	await app.workspace.openLinkText(path + (subpath ?? ""), "", pane, { active: true, eState });
	if (node_id) await showCard(app, path, node_id);
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
