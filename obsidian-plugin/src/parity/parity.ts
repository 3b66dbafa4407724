/** Compares what the app knows about links and tags with what the daemon knows. */

import { getAllTags, Notice, type App } from "obsidian";
import type { Bridge } from "../connection/bridge";
import type { ParityReport } from "../connection/protocol";
import { ParityModal } from "./parity-modal";

/** What the app has found in the vault's files. */
export interface AppKnowledge {
	resolved: Record<string, Record<string, number>>;
	unresolved: Record<string, Record<string, number>>;
	tags: Record<string, string[]>;
}

export function knowledgeOf(app: App): AppKnowledge {
	const { resolvedLinks: resolved, unresolvedLinks: unresolved } = app.metadataCache;
	const tags = app.vault.getMarkdownFiles().flatMap((file): [string, string[]][] => {
		const cache = app.metadataCache.getFileCache(file);
		const found = cache === null ? null : getAllTags(cache);
		return found === null || found.length === 0 ? [] : [[file.path, [...new Set(found)]]];
	});
	return { resolved, unresolved, tags: Object.fromEntries(tags) };
}

export function postParity(app: App, bridge: Bridge): Promise<ParityReport> {
	return bridge.post<ParityReport>("parity", knowledgeOf(app));
}

/** Compare and show the differences. */
export async function checkParity(app: App, bridge: Bridge): Promise<void> {
	const notice = new Notice("Comparing with the sidecar…", 0);
	try {
		new ParityModal(app, await postParity(app, bridge)).open();
	} finally {
		notice.hide();
	}
}
