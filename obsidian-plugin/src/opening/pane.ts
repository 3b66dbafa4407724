/** Opens our panes in the right sidebar. */

import type { App } from "obsidian";

export async function openPane(app: App, type: string): Promise<void> {
	await app.workspace.ensureSideLeaf(type, "right", { active: true, reveal: true });
}
