/** Whether a path the daemon names is one of a file in this vault. */

import { normalizePath, type App } from "obsidian";

export function isSafePath(app: App, path: string): boolean {
	return [path, decoded(path)].every((spelling) => isInside(spelling, app.vault.configDir)) && normalizePath(path) === path;
}

function isInside(path: string, configDir: string): boolean {
	const segments = path.split(/[/\\]/);
	return path !== "" && !segments.some((segment) => segment === "" || segment.startsWith(".")) && segments[0] !== configDir;
}

function decoded(path: string): string {
	try {
		return decodeURIComponent(path);
	} catch {
		return path;
	}
}
