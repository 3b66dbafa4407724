import type { App } from "obsidian";
import { beforeEach, describe, expect, it } from "vitest";
import { Seen } from "../../src/activity/seen";
import type { Change } from "../../src/connection/protocol";
import { Unread } from "../../src/status/unread";
import { change, FakeBridge, fakeApp, settle, STATUS } from "../fakes";

const KEY = "vault-sidecar-seen";
let app: App;
let bridge: FakeBridge;
let unread: Unread;

beforeEach(() => {
	({ app } = fakeApp());
	bridge = new FakeBridge();
	unread = new Unread();
});

/** Load the part, and let the daemon have these changes, newest first. */
async function load(changes: Change[], seen: string | null): Promise<Seen> {
	if (seen !== null) app.saveLocalStorage(KEY, seen);
	const part = new Seen(app, bridge, unread);
	part.load();
	await meet(changes);
	return part;
}

async function meet(changes: Change[]): Promise<void> {
	bridge.answers["activity"] = { changes, before: null };
	bridge.state = { kind: "online", status: { ...STATUS, change_cursor: changes[0]?.id ?? null } };
	bridge.emit("reset", null);
	await settle();
}

const heard = (id: string, client = "claude"): void => bridge.emit("activity", { id, client, session: "s", summary: "", paths: [] });
const newest = (...ids: string[]): Change[] => ids.map((id) => change({ id }));

describe("what counts as unread", () => {
	it("takes all that was there before the plugin as seen", async () => {
		const seen = await load(newest("c3", "c2"), null);
		expect([unread.count, seen.last, app.loadLocalStorage(KEY)]).toEqual([0, "c3", "c3"]);
		expect(bridge.inputs("activity")).toEqual([]);
	});

	it("counts the first change ever", async () => {
		const seen = await load([], null);
		heard("c1");
		expect([unread.count, seen.last]).toEqual([1, ""]);
	});

	it("counts agents' changes after the one that was seen last, and not the person's own", async () => {
		await load([change({ id: "c5" }), change({ id: "c4", client: "Obsidian" }), change({ id: "c3" }), change({ id: "c2" })], "c2");
		expect(unread.count).toBe(2);
		heard("c6");
		heard("c7", "Obsidian");
		expect(unread.count).toBe(3);
	});

	it("asks nothing when nothing is new", async () => {
		await load(newest("c2"), "c2");
		expect([unread.count, bridge.inputs("activity")]).toEqual([0, []]);
	});

	it("moves on with the person's own changes as long as nothing is unread", async () => {
		await load(newest("c2"), "c2");
		heard("c3", "Obsidian");
		expect(app.loadLocalStorage(KEY)).toBe("c3");
	});

	it("begins anew when the daemon's journal did", async () => {
		const seen = await load([], "c9");
		expect([unread.count, seen.last]).toEqual([0, ""]);
	});

	it("keeps the mark while the daemon is away", () => {
		app.saveLocalStorage(KEY, "c2");
		const seen = new Seen(app, bridge, unread);
		seen.load();
		seen.mark();
		expect(app.loadLocalStorage(KEY)).toBe("c2");
	});
});

it("marks all as seen, and that is kept", async () => {
	const seen = await load(newest("c4", "c3"), "c2");
	expect(unread.count).toBe(2);
	seen.mark();
	expect([unread.count, app.loadLocalStorage(KEY)]).toEqual([0, "c4"]);
	await meet(newest("c4", "c3"));
	expect(unread.count).toBe(0);
});

it("drops a count that was overtaken by a look", async () => {
	const seen = await load(newest("c2"), "c2");
	let answer: (page: unknown) => void = () => undefined;
	bridge.answers["activity"] = () => new Promise((resolve) => (answer = resolve));
	bridge.state = { kind: "online", status: { ...STATUS, change_cursor: "c3" } };
	bridge.emit("reset", null);
	seen.mark();
	answer({ changes: newest("c3"), before: null });
	await settle();
	expect(unread.count).toBe(0);
});
