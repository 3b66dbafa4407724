/** Opens the settings at this plugin's tab; the app has no public way to do so. */

import type { App } from "obsidian";

interface AppWithSettings extends App {
	setting?: { open?: () => void; openTabById?: (id: string) => void };
}

export function openSettings(app: App, id: string): void {
	const { setting } = app as AppWithSettings;
	setting?.open?.();
	setting?.openTabById?.(id);
}
