/** Notices when a daemon publishes or withdraws itself, also where the folder for that is still to be made. */

import { existsSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Folders that are made at the same moment as the one we waited for are looked for so often. */
const MOST_LOOKS = 5;

/** Call back when there may be another daemon below this home, or none. Where folders cannot be watched, nothing is called. */
export function watchEndpoints(home: string, onChange: () => void): () => void {
	const watching = new Watching([join(home, "run"), join(home, "run", "elsewhere")], onChange);
	watching.open();
	return () => watching.close();
}

class Watching {
	private readonly watchers = new Map<string, { close: () => void }>();
	/** By folder that is watched, the names that matter when they come or go there. */
	private wanted = new Map<string, ReadonlySet<string>>();

	constructor(
		private readonly targets: readonly string[],
		private readonly onChange: () => void,
	) {}

	/** Watch each target, or while it is not there the nearest folder in which it would be made. */
	open(): void {
		for (let left = MOST_LOOKS; left > 0; left--) {
			const wanted = foldersToWatch(this.targets);
			this.wanted = wanted;
			for (const folder of [...this.watchers.keys()]) if (!wanted.has(folder)) this.drop(folder);
			const missing = [...wanted.keys()].filter((folder) => !this.watchers.has(folder));
			if (missing.length === 0) return;
			missing.forEach((folder) => this.watch(folder));
		}
	}

	close(): void {
		for (const folder of [...this.watchers.keys()]) this.drop(folder);
	}

	private watch(folder: string): void {
		try {
			const watcher = watch(folder, { persistent: false }, (_kind, name) => this.heard(folder, name));
			watcher.on("error", () => this.lost(folder));
			this.watchers.set(folder, watcher);
		} catch {
			// Gone again, or one that may not be watched: then the daemon is found at the next attempt to connect.
		}
	}

	private heard(folder: string, name: string | null): void {
		// A folder that is deleted tells its own name, and would never be heard of again.
		if (name === basename(folder)) {
			this.lost(folder);
			return;
		}
		const isPart = name !== null && this.wanted.get(folder)?.has(name) === true;
		if (isPart) this.open();
		if (isPart || name === null || (this.targets.includes(folder) && name.endsWith(".json"))) this.onChange();
	}

	private lost(folder: string): void {
		this.drop(folder);
		this.open();
		this.onChange();
	}

	private drop(folder: string): void {
		this.watchers.get(folder)?.close();
		this.watchers.delete(folder);
	}
}

function foldersToWatch(targets: readonly string[]): Map<string, Set<string>> {
	const wanted = new Map<string, Set<string>>();
	for (const target of targets) {
		let folder = target;
		let part: string | null = null;
		while (!existsSync(folder) && dirname(folder) !== folder) {
			part = basename(folder);
			folder = dirname(folder);
		}
		const parts = wanted.get(folder) ?? new Set();
		if (part !== null) parts.add(part);
		wanted.set(folder, parts);
	}
	return wanted;
}
