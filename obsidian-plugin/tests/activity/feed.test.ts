import { beforeEach, expect, it, vi } from "vitest";
import { Feed } from "../../src/activity/feed";
import type { ActivityPage } from "../../src/connection/protocol";
import { change, FakeBridge, settle } from "../fakes";

let bridge: FakeBridge;
let feed: Feed;
const shown = vi.fn();
const page = (before: string | null, ...ids: string[]): ActivityPage => ({ changes: ids.map((id) => change({ id })), before });
const ids = (): string[] => feed.changes.map(({ id }) => id);

beforeEach(() => {
	bridge = new FakeBridge({ activity: page("c8", "c9", "c8") });
	feed = new Feed(bridge, shown);
});

it("loads the newest, then older ones, to the end", async () => {
	await feed.choose(null);
	expect([ids(), feed.hasMore]).toEqual([["c9", "c8"], true]);
	bridge.answers["activity"] = page(null, "c7");
	await feed.more();
	expect([ids(), feed.hasMore]).toEqual([["c9", "c8", "c7"], false]);
	await feed.more();
	expect(bridge.inputs("activity")).toEqual([
		{ before: null, limit: 50, client: null },
		{ before: "c8", limit: 50, client: null },
	]);
});

it("keeps older pages when it asks again for the newest", async () => {
	await feed.choose(null);
	bridge.answers["activity"] = page("c6", "c7", "c6");
	await feed.more();
	bridge.answers["activity"] = page("c9", "d1", "c9");
	await feed.refresh();
	expect([ids(), feed.hasMore]).toEqual([["d1", "c9", "c8", "c7", "c6"], true]);
	bridge.answers["activity"] = page(null, "c5");
	await feed.more();
	expect(bridge.inputs("activity").at(-1)).toMatchObject({ before: "c6" });
});

it("does not keep what the daemon no longer has", async () => {
	await feed.choose(null);
	bridge.answers["activity"] = page(null, "d1");
	await feed.refresh();
	expect([ids(), feed.hasMore]).toEqual([["d1"], false]);
});

it("shows one client, and drops the answer of an overtaken question", async () => {
	let late: (answer: ActivityPage) => void = () => undefined;
	bridge.answers["activity"] = () => new Promise((resolve) => (late = resolve));
	const first = feed.choose(null);
	bridge.answers["activity"] = page(null, "x1");
	await feed.choose("claude");
	late(page(null, "c1"));
	await first;
	expect(ids()).toEqual(["x1"]);
	expect(bridge.inputs("activity").at(-1)).toMatchObject({ client: "claude" });
});

it("says why there is nothing, and keeps what there was", async () => {
	await feed.choose(null);
	bridge.answers = {};
	await feed.refresh();
	expect([ids(), feed.status]).toEqual([["c9", "c8"], { kind: "failed", message: "No answer for activity." }]);
});

it("asks nothing while the daemon is away", async () => {
	bridge.state = { kind: "offline" };
	await feed.choose(null);
	await settle();
	expect([feed.status, bridge.asked]).toEqual([{ kind: "idle" }, []]);
});
