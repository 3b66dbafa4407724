/** Brings a map of notes on a canvas up to date, and says what came, went and stayed. */

import { Notice, type App, type TFile } from "obsidian";
import type { Bridge } from "../connection/bridge";
import type { RefreshedMap } from "../connection/protocol";

/** So many notes are named in one line of the notice. */
const NAMED = 5;

/** The canvas that is open in front; `null` when that is another file or none. */
export function activeCanvas(app: App): TFile | null {
	const file = app.workspace.getActiveFile();
	return file?.extension === "canvas" ? file : null;
}

export async function refreshMap(bridge: Bridge, path: string): Promise<void> {
	new Notice(sayRefreshed(await bridge.post<RefreshedMap>("canvas/refresh_map", { path })));
}

function sayRefreshed({ change, added, removed, kept }: RefreshedMap): string {
	const lines = [change === null ? "The map was up to date." : "The map was refreshed."];
	if (added.length > 0) lines.push(`Added: ${namesOf(added)}.`);
	if (removed.length > 0) lines.push(`Removed: ${namesOf(removed)}.`);
	if (kept.length > 0) lines.push(`Kept, because you changed their cards: ${namesOf(kept)}.`);
	return lines.join("\n");
}

function namesOf(paths: readonly string[]): string {
	const names = paths.slice(0, NAMED).map((path) => path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/, ""));
	const more = paths.length - names.length;
	return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
}
