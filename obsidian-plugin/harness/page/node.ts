/** Modules that the app's window has: Node's, of which each call is carried out by the process that serves the page, and the editor's. */

import * as codemirrorState from "@codemirror/state";
import * as codemirrorView from "@codemirror/view";

type Watcher = { on: (type: string, handler: () => void) => Watcher; close: () => void };
type Child = { on: (type: string, handler: (value: unknown) => void) => Child; unref: () => void };

/** Ask the process behind the page, and wait for its answer: Node's calls are synchronous. */
export function call<T>(name: string, ...args: unknown[]): T {
	const request = new XMLHttpRequest();
	request.open("POST", "/node", false);
	request.send(JSON.stringify({ name, args }));
	const { value, error } = JSON.parse(request.responseText) as { value: T; error?: { message: string; code?: string } };
	if (error) throw Object.assign(new Error(error.message), { code: error.code });
	return value;
}

let lastId = 0;
const heard = new Map<number, (type: string, value: unknown) => void>();
/** Called by the process behind the page. */
Object.assign(globalThis, { tell: (id: number, type: string, value: unknown) => heard.get(id)?.(type, value) });

function listenerOf(): { id: number; on: Map<string, (value: unknown) => void> } {
	const id = ++lastId;
	const on = new Map<string, (value: unknown) => void>();
	heard.set(id, (type, value) => on.get(type)?.(value));
	return { id, on };
}

function watch(folder: string, _options: object, onChange: (kind: string, name: string | null) => void): Watcher {
	const { id, on } = listenerOf();
	on.set("change", (name) => onChange("change", name as string));
	call("watch", id, folder);
	const watcher: Watcher = { on: () => watcher, close: () => void (heard.delete(id), call("unwatch", id)) };
	return watcher;
}

function spawn(command: string, args: string[]): Child {
	const { id, on } = listenerOf();
	call("spawn", id, command, args);
	const child: Child = { on: (type, handler) => (on.set(type, handler), child), unref: () => undefined };
	return child;
}

/** Bytes as hex, which is all that the plugin wants of a Buffer. */
class Bytes {
	constructor(readonly hex: string) {}
	get length(): number {
		return this.hex.length / 2;
	}
	toString(): string {
		return this.hex;
	}
	static from(hex: string): Bytes {
		return new Bytes(/^(?:[0-9a-f]{2})*$/i.test(hex) ? hex.toLowerCase() : "");
	}
}

const hashing = (name: "hash" | "hmac", ...start: string[]) => {
	let text = "";
	const made = {
		update: (more: string) => ((text += more), made),
		digest: (encoding?: string) => (encoding ? call<string>(name, ...start, text) : new Bytes(call<string>(name, ...start, text))),
	};
	return made;
};

const fs = {
	existsSync: (path: string) => call<boolean>("exists", path),
	readdirSync: (path: string) => call<string[]>("readdir", path),
	readFileSync: (path: string) => call<string>("read", path),
	realpathSync: { native: (path: string) => call<string>("realpath", path) },
	accessSync: (path: string, mode: number) => call("access", path, mode),
	statSync: (path: string) => ({ isFile: () => call<boolean>("isFile", path) }),
	constants: { X_OK: 1 },
	watch,
};
const path = {
	join: (...parts: string[]) => parts.join("/").replaceAll(/\/+/g, "/"),
	basename: (text: string) => text.slice(text.lastIndexOf("/") + 1),
	dirname: (text: string) => text.slice(0, text.lastIndexOf("/")) || "/",
	isAbsolute: (text: string) => text.startsWith("/"),
	delimiter: ":",
};
const crypto = {
	createHash: () => hashing("hash"),
	createHmac: (_kind: string, key: string) => hashing("hmac", key),
	randomBytes: (size: number) => new Bytes(call<string>("random", size)),
	timingSafeEqual: (one: Bytes, other: Bytes) => one.hex === other.hex,
};
const environment = call<Record<string, string>>("environment");

export const MODULES: Record<string, unknown> = {
	"@codemirror/view": codemirrorView,
	"@codemirror/state": codemirrorState,
	"node:fs": fs,
	"node:path": path,
	"node:crypto": crypto,
	"node:os": { homedir: () => environment["HOME"] ?? "/" },
	"node:child_process": { spawn },
};

Object.assign(globalThis, {
	global: globalThis,
	Buffer: Bytes,
	activeWindow: window,
	process: { env: environment, platform: "linux", kill: (pid: number) => call("alive", pid) },
});
