import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ConnectionState } from "../../src/connection/bridge";
import type { Status } from "../../src/connection/protocol";
import { ago, appearance, tooltip } from "../../src/status/appearance";
import { STATUS } from "../fakes";

const online = (over: Partial<Status>): ConnectionState => ({ kind: "online", status: { ...STATUS, ...over } });

describe("appearance", () => {
	it.each<[ConnectionState, string, string, string | null]>([
		[{ kind: "not-running" }, "muted", "", "start"],
		[{ kind: "starting" }, "busy", "starting", null],
		[{ kind: "connecting" }, "muted", "", null],
		[{ kind: "offline" }, "warn", "", "reconnect"],
		[{ kind: "wrong-vault" }, "warn", "", "start"],
		[{ kind: "token-refused", reason: "proof" }, "warn", "", "settings"],
		[{ kind: "token-refused", reason: "bearer" }, "warn", "", "settings"],
		[{ kind: "version-mismatch", daemon: "2.0" }, "warn", "", null],
		[{ kind: "failed", message: "Oops." }, "warn", "", "log"],
		[online({ state: "starting" }), "busy", "starting", null],
		[online({ state: "indexing", done: 41, total: 100 }), "busy", "41%", null],
		[online({ state: "indexing", done: 0, total: 0 }), "busy", "0%", null],
		[online({ state: "paused" }), "muted", "", null],
		[online({ state: "ready" }), "ok", "", null],
		[online({ state: "error", fault: "Disk full." }), "warn", "", "log"],
	])("of %j", (state, tone, text, action) => expect(appearance(state)).toMatchObject({ tone, text, action }));

	it("has a sentence of its own for each state", () => {
		const sentences = [{ kind: "not-running" }, { kind: "starting" }, { kind: "connecting" }, { kind: "offline" }, { kind: "wrong-vault" }] as const;
		expect(new Set(sentences.map((state) => appearance(state).sentence)).size).toBe(sentences.length);
	});
});

it("the tooltip tells files, last change, agents by name once, and what is unread", () => {
	const agent = { name: "claude", session: "s", since: 0 };
	const state = online({ files: { note: 11, canvas: 1 }, last_event: 1000, proposals: 1, clients: [agent, { ...agent, session: "t" }, { ...agent, name: "codex" }] });
	expect(tooltip(state, 2, 121_000).split("\n")).toEqual(["Ready: 12 files known.", "Last change 2 minutes ago.", "Connected: claude, codex.", "1 proposal waits for you.", "2 unread changes by agents."]);
	expect(tooltip({ kind: "offline" }, 1, 0)).toBe("The sidecar does not answer.\n1 unread change by an agent.");
});

it.each([
	[-5, "just now"],
	[59_999, "just now"],
	[60_000, "1 minute ago"],
	[7_200_000, "2 hours ago"],
	[86_400_000, "1 day ago"],
])("%d ms are %s", (milliseconds, expected) => expect(ago(milliseconds)).toBe(expected));

it("every icon is one that the app has", () => {
	const source = (folder: string): string[] =>
		readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? source(join(folder, entry.name)) : [readFileSync(join(folder, entry.name), "utf8")]));
	const icons = source("src").flatMap((text) => [...text.matchAll(/(?:icon: |setIcon\([\w.]+, |setIcon\(|icon = |bar\.add\()"([a-z0-9-]+)"|(?:add|open)\(.*, "([a-z0-9-]+)", (?:\(\) =>|async|"tab"|"split"|"window")/g)].map(([, icon, action]) => icon ?? action ?? ""));
	expect(icons.length).toBeGreaterThan(20);
	const ofTheAppItself = ["right-triangle", "links-coming-in"];
	expect([...new Set(icons)].filter((icon) => !ofTheAppItself.includes(icon) && !existsSync(`node_modules/lucide-static/icons/${icon}.svg`))).toEqual([]);
});
