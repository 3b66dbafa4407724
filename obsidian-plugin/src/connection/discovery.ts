/** Finds the daemons of this computer: the files they leave outside the vault, and what was entered by hand. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

const NAME = "vault-sidecar";

/** One daemon that speaks HTTP. `vaults` maps vault keys to project ids; `null` when nobody told. */
export interface Endpoint {
	port: number;
	token: string;
	pid: number | null;
	home: string | null;
	vaults: Readonly<Record<string, string>> | null;
}

/** Where a daemon keeps its state when nothing else is said. */
export function defaultHome(platform: string = process.platform, environment: NodeJS.ProcessEnv = process.env, home: string = homedir()): string {
	const named = environment["VAULT_SIDECAR_DEFAULT_HOME"];
	if (named) return named;
	if (platform === "win32") return join(environment["LOCALAPPDATA"] ?? join(home, "AppData", "Local"), NAME);
	if (platform === "darwin") return join(home, "Library", "Application Support", NAME);
	const data = environment["XDG_DATA_HOME"]?.trim() ?? "";
	return join(isAbsolute(data) ? data : join(home, ".local", "share"), NAME);
}

/** The name by which a daemon knows a vault: SHA-256 hex of the real path of its folder. */
export function vaultKey(folder: string): string {
	return createHash("sha256").update(realPath(folder)).digest("hex");
}

/** The file in which the daemon of a home publishes itself. */
export function endpointFile(home: string): string {
	return join(home, "run", "endpoint.json");
}

/** Every daemon that has published itself below the default home, or below a home to which a pointer there leads. */
export function publishedEndpoints(home: string): Endpoint[] {
	const pointers = join(home, "run", "elsewhere");
	const homes = [home, ...filesIn(pointers).flatMap((name) => homeOfPointer(join(pointers, name)))];
	return homes.flatMap((folder) => readEndpoint(folder));
}

/** Whether a process with that id lives. An id that belongs to somebody else lives too. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch (error) {
		return codeOf(error) === "EPERM";
	}
}

/** The last line of a daemon's log: why it did not start. */
export function lastLogLine(home: string): string | null {
	try {
		return readFileSync(join(home, "logs", "daemon.log"), "utf8").trimEnd().split("\n").at(-1) || null;
	} catch {
		return null;
	}
}

function realPath(folder: string): string {
	try {
		return realpathSync.native(folder);
	} catch {
		return folder;
	}
}

function readEndpoint(home: string): Endpoint[] {
	const found = readJson(endpointFile(home));
	if (typeof found?.["port"] !== "number" || typeof found["token"] !== "string") return [];
	const vaults = found["vaults"];
	return [
		{
			port: found["port"],
			token: found["token"],
			pid: typeof found["pid"] === "number" ? found["pid"] : null,
			home,
			vaults: typeof vaults === "object" && vaults !== null ? (vaults as Record<string, string>) : {},
		},
	];
}

function homeOfPointer(file: string): string[] {
	const home = readJson(file)?.["home"];
	return typeof home === "string" ? [home] : [];
}

function filesIn(folder: string): string[] {
	try {
		return readdirSync(folder).filter((name) => name.endsWith(".json"));
	} catch {
		return [];
	}
}

function readJson(file: string): Record<string, unknown> | null {
	try {
		const value: unknown = JSON.parse(readFileSync(file, "utf8"));
		return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
	} catch {
		return null;
	}
}

function codeOf(error: unknown): string {
	return error instanceof Error && "code" in error ? String(error.code) : "";
}
