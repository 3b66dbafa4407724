import { describe, expect, it } from "vitest";
import { FIRST_STATE, stateFrom } from "../../src/activity/pane-state";
import { nodeOf, rowsOf, type Row, type Shown } from "../../src/activity/rows";
import { exactly, when } from "../../src/activity/when";
import { strokeOf } from "../../src/pane/tree-keys";
import { change, changeEntry, fileDiff } from "../fakes";

const lines = [{ kind: "+" as const, text: "x" }];
const hunk = { old_start: 3, new_start: 4, lines };
const entries = [changeEntry({ path: "Notes/A.md" })];
const three = [change({ id: "c3", client: "a", session: "1", at: 30, entries }), change({ id: "c2", client: "b", session: "2", at: 20, entries: [changeEntry({ path: "B.md", to: "Old/B.md" })] }), change({ id: "c1", client: "a", session: "1", at: 10, entries })];

function rows(over: Partial<Shown> = {}): Row[] {
	return rowsOf({ status: { kind: "loaded" }, changes: three, hasMore: false, state: FIRST_STATE, open: new Set(), diffOf: () => ({ kind: "loading" }), unreadAfter: null, ...over });
}

/** One word for each row. */
function words(list: Row[]): string[] {
	return list.map((row) => {
		switch (row.kind) {
			case "session":
				return `${row.client} ${row.session} ×${row.count}`;
			case "change":
				return row.change.id;
			case "file":
				return row.file.path;
			case "hunk":
				return `${row.path}:${row.hunk.new_start}`;
			case "message":
				return row.text;
			case "more":
				return "more";
		}
	});
}

describe("grouping", () => {
	it("puts each session together, the newest first", () => expect(words(rows())).toEqual(["a 1 ×2", "c3", "c1", "b 2 ×1", "c2"]));

	it("tells the time a session took", () => expect(rows()[0]).toMatchObject({ from: 10, to: 30 }));

	it("keeps two sessions of one client apart", () => {
		const two = [change({ id: "c2", client: "a", session: "2" }), change({ id: "c1", client: "a", session: "1" })];
		expect(words(rows({ changes: two }))).toEqual(["a 2 ×1", "c2", "a 1 ×1", "c1"]);
	});

	it("folds a session", () => {
		const key = rows()[0]?.key ?? "";
		expect(words(rows({ state: { ...FIRST_STATE, folded: [key] } }))).toEqual(["a 1 ×2", "b 2 ×1", "c2"]);
	});

	it("gives every row a key of its own", () => {
		const open = new Set(["c1", "c2", "c3"]);
		const files = [fileDiff({ hunks: [hunk, hunk], more: 2 }), fileDiff({ hunks: [hunk] })];
		const keys = rows({ open, hasMore: true, diffOf: () => ({ kind: "loaded", files }) }).map(({ key }) => key);
		expect(new Set(keys).size).toBe(keys.length);
	});
});

describe("messages", () => {
	it.each<[Partial<Shown>, string[]]>([
		[{ changes: [], status: { kind: "idle" } }, []],
		[{ changes: [], status: { kind: "loading" } }, ["Looking for changes…"]],
		[{ changes: [], status: { kind: "failed", message: "No." } }, ["No."]],
		[{ changes: [] }, ["No agent has changed anything yet."]],
		[{ changes: [], hasMore: true }, ["No agent has changed anything yet.", "more"]],
		[{ state: { ...FIRST_STATE, isFilterShown: true, filter: "nowhere" } }, ["No change fits the filter."]],
	])("%j", (over, expected) => expect(words(rows(over))).toEqual(expected));

	it("keeps showing what there was when asking fails", () => expect(rows({ status: { kind: "failed", message: "No." } })).toHaveLength(5));
});

describe("the filter by path", () => {
	it.each([
		["notes/", ["a 1 ×2", "c3", "c1"]],
		["old", ["b 2 ×1", "c2"]],
		["  ", ["a 1 ×2", "c3", "c1", "b 2 ×1", "c2"]],
	])("%j", (filter, expected) => expect(words(rows({ state: { ...FIRST_STATE, isFilterShown: true, filter } }))).toEqual(expected));

	it("rests while its field is hidden", () => expect(rows({ state: { ...FIRST_STATE, filter: "nowhere" } })).toHaveLength(5));
});

describe("unread and undo", () => {
	it("marks agents' changes after the one seen last", () => {
		const changes = [change({ id: "c4", client: "Obsidian" }), ...three];
		const marked = rows({ changes, unreadAfter: "c1" }).flatMap((row) => (row.kind === "change" && row.isUnread ? [row.change.id] : []));
		expect(marked).toEqual(["c3", "c2"]);
	});

	it("tells on the session what is unread in it", () => expect(rows({ unreadAfter: "c2" }).map((row) => row.kind === "session" && row.isUnread)).toEqual([true, false, false, false, false]));

	it.each([
		[{}, true],
		[{ undone_by: "c9" }, false],
		[{ state: "open" }, false],
		[{ state: "rolled back" }, false],
		[{ undoes: ["c0"] }, true],
	])("offers undo for %j: %s", (over, canUndo) => expect(rows({ changes: [change(over)] })[1]).toMatchObject({ canUndo }));

	it.each([
		[[change({})], true],
		[[change({ undone_by: "c9" })], false],
		[[change({ undoes: ["c0"] })], false],
		[[change({ client: "Obsidian" })], false],
	])("offers undo of a session", (changes, canUndo) => expect(rows({ changes })[0]).toMatchObject({ canUndo }));
});

describe("a diff that is unfolded", () => {
	const shown = (files: ReturnType<typeof fileDiff>[], entry = changeEntry()): Row[] => rows({ changes: [change({ id: "c1", entries: [entry] })], open: new Set(["c1"]), diffOf: () => ({ kind: "loaded", files }) }).slice(2);

	it("shows files, hunks and what is left out", () => expect(words(shown([fileDiff({ hunks: [hunk], more: 2 }), fileDiff({ path: "B.png", binary: true })]))).toEqual(["A.md", "A.md:4", "2 more lines.", "B.png", "Not shown: this is no text, or its old bytes are no longer kept."]));

	it("leads to the new place of what was moved", () => expect(words(shown([fileDiff({ op: "move", to: "C.md", hunks: [hunk] })]))).toEqual(["A.md", "C.md:4"]));

	it("marks a file that is hidden from agents", () => expect(shown([fileDiff()], changeEntry({ hidden: true }))[0]).toMatchObject({ kind: "file", isHidden: true }));

	it.each([
		[{ kind: "loading" } as const, "Loading the diff…"],
		[{ kind: "failed", message: "Gone." } as const, "Gone."],
	])("says %j", (diff, text) => expect(words(rows({ changes: [change({})], open: new Set(["c1"]), diffOf: () => diff }))).toEqual(["claude s1 ×1", "c1", text]));
});

describe("keys", () => {
	const list = rows({ changes: [change({ id: "c1" })], open: new Set(["c1"]), hasMore: true, diffOf: () => ({ kind: "loaded", files: [fileDiff({ hunks: [hunk] })] }) });
	const session = list[0]?.key ?? "";
	const after = (at: string | null, key: string): string | undefined => {
		const stroke = strokeOf(list, nodeOf, at, key);
		return stroke === null ? undefined : "act" in stroke ? `act ${stroke.act.key}` : stroke.activate.key;
	};

	it.each([
		[null, "ArrowDown", session],
		[session, "ArrowDown", "c1"],
		["more", "ArrowDown", "more"],
		["c1", "ArrowUp", session],
		["c1", "Home", session],
		["c1", "End", "more"],
		["c1", "Enter", "act c1"],
		[null, "Enter", undefined],
		["c1", "ArrowLeft", "act c1"],
		["c1/0/0", "ArrowLeft", "c1/0"],
		["c1/0", "ArrowLeft", "c1"],
		["c1", "ArrowRight", "c1/0"],
		["c1/0", "ArrowRight", undefined],
		["more", "ArrowLeft", undefined],
		["c1", "x", undefined],
	])("%s %s", (at, key, expected) => expect(after(at, key)).toBe(expected));

	it("unfolds to the right what is folded", () => expect(strokeOf(rows(), nodeOf, "c3", "ArrowRight")).toMatchObject({ act: { key: "c3" } }));
});

describe("what the workspace kept", () => {
	it.each([
		[null, FIRST_STATE],
		[{ client: 3, filter: [], folded: ["k", 2], isFilterShown: "yes" }, { ...FIRST_STATE, folded: ["k"] }],
		[{ client: "a", filter: "b", folded: [], isFilterShown: true }, { client: "a", filter: "b", folded: [], isFilterShown: true }],
	])("%j", (stored, expected) => expect(stateFrom(stored)).toEqual(expected));
});

it("words times that stay true", () => {
	const now = new Date(2026, 10, 30, 18).getTime();
	const today = new Date(2026, 10, 30, 9, 5).getTime();
	expect(when(today, now)).toContain("05");
	expect(when(today, now)).not.toContain("30");
	expect(when(today - 86_400_000, now)).toContain("29");
	expect(exactly(today)).toContain("2026");
});
