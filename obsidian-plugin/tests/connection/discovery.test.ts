import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultHome, isAlive, lastLogLine, publishedEndpoints, vaultKey } from "../../src/connection/discovery";

let home: string;
beforeEach(() => (home = mkdtempSync(join(tmpdir(), "sidecar-"))));
afterEach(() => rmSync(home, { recursive: true }));

const put = (folder: string, name: string, value: unknown): void => {
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, name), typeof value === "string" ? value : JSON.stringify(value));
};

it.each([
	["linux", {}, "/home/ada/.local/share/vault-sidecar"],
	["linux", { XDG_DATA_HOME: "/data" }, "/data/vault-sidecar"],
	["linux", { XDG_DATA_HOME: "relative" }, "/home/ada/.local/share/vault-sidecar"],
	["darwin", { XDG_DATA_HOME: "/data" }, "/home/ada/Library/Application Support/vault-sidecar"],
	["win32", { LOCALAPPDATA: "/local" }, "/local/vault-sidecar"],
	["win32", {}, "/home/ada/AppData/Local/vault-sidecar"],
	["linux", { VAULT_SIDECAR_DEFAULT_HOME: "/elsewhere" }, "/elsewhere"],
])("the default home on %s with %j", (platform, environment, expected) => {
	expect(defaultHome(platform, environment, "/home/ada")).toBe(expected);
});

describe("publishedEndpoints", () => {
	it("reads the default home and every home that has left a pointer", () => {
		const other = join(home, "other");
		put(join(home, "run"), "endpoint.json", { port: 1, token: "a", pid: 5, vaults: { k: "p" } });
		put(join(home, "run", "elsewhere"), "x.json", { home: other, pid: 6 });
		put(join(other, "run"), "endpoint.json", { port: 2, token: "b", vaults: {} });
		expect(publishedEndpoints(home)).toEqual([
			{ port: 1, token: "a", pid: 5, home, vaults: { k: "p" } },
			{ port: 2, token: "b", pid: null, home: other, vaults: {} },
		]);
	});

	it.each([["not JSON"], ["null"], [{ port: null, token: "a" }], [{ port: 1 }]])("skips %j", (value) => {
		put(join(home, "run"), "endpoint.json", value);
		put(join(home, "run", "elsewhere"), "x.json", value);
		expect(publishedEndpoints(home)).toEqual([]);
	});
});

it("names a vault by its real path, also through a link and when it is gone", () => {
	const link = join(home, "link");
	mkdirSync(join(home, "vault"));
	symlinkSync(join(home, "vault"), link);
	const hash = (path: string): string => createHash("sha256").update(path).digest("hex");
	expect(vaultKey(link)).toBe(hash(realpathSync.native(join(home, "vault"))));
	expect(vaultKey("/no/such/vault")).toBe(hash("/no/such/vault"));
});

it("knows live processes from dead ones", () => {
	expect([isAlive(process.pid), isAlive(1), isAlive(2 ** 30)]).toEqual([true, true, false]);
});

it("reads the log's last line", () => {
	expect(lastLogLine(home)).toBeNull();
	put(join(home, "logs"), "daemon.log", "first\nport 27125 is taken\n");
	expect(lastLogLine(home)).toBe("port 27125 is taken");
});
