import { expect, it } from "vitest";
import { Loader } from "../../src/backlinks/loader";
import type { MentionPage } from "../../src/connection/protocol";
import { FakeBridge, mention, page, settle } from "../fakes";

const twoPages = ({ cursor }: { cursor: string | null }): MentionPage =>
	cursor === null ? page([mention({ id: "1" })], { cursor: "next", total: 2 }) : page([mention({ id: "2" })], { total: 2 });

function watch(bridge: FakeBridge): { loader: Loader; seen: string[] } {
	const seen: string[] = [];
	const loader: Loader = new Loader(bridge, () => {
		const { linked } = loader.contents;
		seen.push(linked.status === "loaded" ? linked.mentions.map(({ id }) => id).join() : linked.status);
	});
	return { loader, seen };
}

it("shows pages as they come at first, and later only all of them at once", async () => {
	const { loader, seen } = watch(new FakeBridge({ backlinks: twoPages }));
	await loader.load("linked", {});
	expect(seen).toEqual(["loading", "1", "1,2"]);
	await loader.load("linked", {});
	expect(seen).toEqual(["loading", "1", "1,2", "1,2"]);
});

it("drops what comes after it was cleared", async () => {
	const { loader, seen } = watch(new FakeBridge({ backlinks: twoPages }));
	const loaded = loader.load("linked", {});
	loader.clear();
	await loaded;
	expect(seen).toEqual(["loading"]);
	expect(loader.contents.linked.status).toBe("idle");
});

it("stops at ten thousand, and at a page without mentions", async () => {
	const many = Array.from({ length: 500 }, (_, index) => mention({ id: String(index) }));
	const bridge = new FakeBridge({ backlinks: page(many, { cursor: "more", total: 50_000 }), mentions: page([], { cursor: "more" }) });
	const { loader } = watch(bridge);
	await loader.load("linked", {});
	await loader.load("unlinked", {});
	await settle();
	expect([bridge.inputs("backlinks").length, bridge.inputs("mentions").length]).toEqual([20, 1]);
});
