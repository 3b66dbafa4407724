import { describe, expect, it } from "vitest";
import { excerptOf } from "../../src/backlinks/excerpt";
import { filterFor } from "../../src/backlinks/filter";
import { chipsOf } from "../../src/backlinks/header";
import { toggled } from "../../src/backlinks/menus";
import { FIRST_STATE, stateFrom, type PaneState } from "../../src/backlinks/pane-state";
import { groupByPath, nodeOf, rowsOf, type Contents } from "../../src/backlinks/rows";
import { strokeOf } from "../../src/pane/tree-keys";
import { mention } from "../fakes";

const SHOWN = { unlinked: true, hidden: true };
const contents = (over: Partial<Contents> = {}): Contents => ({ linked: { status: "loaded", mentions: [], total: 0 }, unlinked: { status: "idle" }, ...over });
const loaded = (...mentions: ReturnType<typeof mention>[]): Contents["linked"] => ({ status: "loaded", mentions, total: mentions.length });
const state = (over: Partial<PaneState> = {}): PaneState => ({ ...FIRST_STATE, ...over });
const told = (rows: ReturnType<typeof rowsOf>): string[] =>
	rows.map((row) => {
		if (row.kind === "section") return `${row.title} ${row.count ?? "?"}`;
		if (row.kind === "file") return `  ${row.title} ${row.count}${row.isHidden ? " hidden" : ""}`;
		return row.kind === "mention" ? `    ${row.mention.id}` : `  ${row.text}`;
	});

describe("rowsOf", () => {
	const linked = loaded(mention({ id: "1" }), mention({ id: "2", path: "B.canvas", title: "B", kind: "canvas", hidden: true }), mention({ id: "3" }));

	it("groups by file in the order of the answer, with counts", () => {
		expect(told(rowsOf(contents({ linked }), state(), SHOWN))).toEqual(["Linked mentions 3", "  A 2", "    1", "    3", "  B 1 hidden", "    2", "Unlinked mentions ?"]);
	});

	it.each([
		["a folded file", { folded: { linked: ["A.md"], unlinked: [] } }, ["Linked mentions 3", "  A 2", "  B 1 hidden", "    2", "Unlinked mentions ?"]],
		["a folded section", { collapsed: { linked: true, unlinked: true } }, ["Linked mentions 3", "Unlinked mentions ?"]],
		["a filter", { isFilterShown: true, filter: "B.can" }, ["Linked mentions 1", "  B 1 hidden", "    2", "Unlinked mentions ?"]],
		["a filter that nothing fits", { isFilterShown: true, filter: "nowhere" }, ["Linked mentions 0", "  No mention fits the filter.", "Unlinked mentions ?"]],
		["a filter that is put away", { isFilterShown: false, filter: "nowhere" }, ["Linked mentions 3", "  A 2", "    1", "    3", "  B 1 hidden", "    2", "Unlinked mentions ?"]],
	])("shows %s", (_name, over, expected) => expect(told(rowsOf(contents({ linked }), state(over), SHOWN))).toEqual(expected));

	it.each([
		[{ status: "loading" } as const, "  Looking for mentions…"],
		[{ status: "failed", message: "Busy." } as const, "  Busy."],
		[loaded(), "  No mentions found."],
	])("says %j", (content, expected) => expect(told(rowsOf(contents({ linked: content }), state(), SHOWN))[1]).toBe(expected));

	it("says why there are no unlinked mentions of one heading", () => {
		const rows = rowsOf(contents({ linked }), state({ section: "Life", collapsed: { linked: true, unlinked: false } }), SHOWN);
		expect(told(rows)).toEqual(["Linked mentions 3", "Unlinked mentions ?", "  A mention without a link means the whole note."]);
	});

	it("leaves out what the settings leave out", () => {
		expect(told(rowsOf(contents({ linked }), state(), { unlinked: false, hidden: false }))).toEqual(["Linked mentions 2", "  A 2", "    1", "    3"]);
	});

	it("offers to link what is shown of the unlinked, and nothing of the linked", () => {
		const both = contents({ linked, unlinked: loaded(mention({ id: "u1" }), mention({ id: "u2", path: "C.md", title: "C" })) });
		const rows = rowsOf(both, state({ collapsed: { linked: false, unlinked: false }, isFilterShown: true, filter: "c.md" }), SHOWN);
		expect(rows.filter((row) => row.kind === "section").map(({ linkable }) => linkable)).toEqual([[], ["u2"]]);
		expect(rows.filter((row) => row.kind === "file").map(({ linkable }) => linkable)).toEqual([["u2"]]);
	});

	it("has a key of its own for each row, also for mentions with one id", () => {
		const rows = rowsOf(contents({ linked: loaded(mention(), mention()), unlinked: loaded(mention()) }), state({ collapsed: { linked: false, unlinked: false } }), SHOWN);
		expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
	});
});

it("groupByPath keeps the order of first appearance", () => {
	expect([...groupByPath([mention({ path: "B" }), mention({ path: "A" }), mention({ path: "B" })])].map(([path, { length }]) => [path, length])).toEqual([
		["B", 2],
		["A", 1],
	]);
});

it.each([
	["", true],
	["newton", true],
	["NEWTON here", true],
	["newton moon", false],
	["-moon", true],
	["newton -here", false],
	["a.md", true],
	["-", true],
])("the filter %j lets a mention through: %s", (query, expected) => expect(filterFor(query)(mention())).toBe(expected));

describe("excerptOf", () => {
	const long = { context: `${"before ".repeat(20)}\nNewton${" after".repeat(40)}`, start: 141, end: 147 };

	it("shows one line with the nearest words", () => {
		const { before, match, after } = excerptOf(long, false);
		expect(match).toBe("Newton");
		expect(before).toMatch(/^…(before )+$/);
		expect(before.length).toBeLessThanOrEqual(42);
		expect(after).toMatch(/^( after)+…$/);
		expect(after.length).toBeLessThanOrEqual(101);
	});

	it("shows all of it with more context", () => {
		const { before, match, after } = excerptOf(long, true);
		expect(before + match + after).toBe(long.context);
	});

	it("never cuts a character in two", () => {
		const { before, after } = excerptOf({ context: `${"😀".repeat(60)}x${"😀".repeat(99)}`, start: 120, end: 121 }, false);
		expect([before.isWellFormed(), after.isWellFormed()]).toEqual([true, true]);
	});

	it.each([
		[-1, 99, "short"],
		[4, 2, ""],
	])("bears offsets %d to %d that do not fit", (start, end, match) => expect(excerptOf({ context: "short", start, end }, true).match).toBe(match));
});

describe("stateFrom", () => {
	it("reads back what was kept", () => {
		const kept = state({ pinned: "A.md", sort: "relevance", kinds: ["canvas"], section: "H", folded: { linked: ["B.md"], unlinked: [] }, collapsed: { linked: true, unlinked: false }, isFilterShown: true, filter: "x" });
		expect(stateFrom(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
	});

	it.each([[null], ["text"], [{ sort: "odd", kinds: ["odd", 3], collapsed: null, folded: 3, pinned: 5 }]])("bears %j", (stored) => expect(stateFrom(stored)).toEqual(FIRST_STATE));
});

it.each([
	[[], "canvas", ["body", "embed", "property", "base"]],
	[["body"], "canvas", ["body", "canvas"]],
	[["body", "embed", "property", "base"], "canvas", []],
	[["canvas"], "canvas", []],
] as const)("of kinds %j toggling %s leaves %j", (kinds, kind, expected) => expect(toggled(kinds, kind)).toEqual(expected));

it("chips tell each filter and how to switch it off", () => {
	const chips = chipsOf(state({ section: "H", kinds: ["canvas"], folder: "F", tag: "#t" }));
	expect(chips.map(({ text }) => text)).toEqual(["#H", "Canvas cards", "In F", "#t"]);
	expect(chipsOf(chips.reduce((now, { off }) => ({ ...now, ...off }), state({ section: "H", kinds: ["canvas"], folder: "F", tag: "#t" })))).toEqual([]);
});

describe("strokeOf", () => {
	const rows = rowsOf(contents({ linked: loaded(mention({ id: "1" }), mention({ id: "2" })) }), state(), SHOWN);
	const keys = rows.map(({ key }) => key);
	const [section, file, first, second, other] = keys as [string, string, string, string, string];
	it.each([
		["ArrowDown", null, { activate: section }],
		["ArrowDown", section, { activate: file }],
		["ArrowDown", other, { activate: other }],
		["ArrowUp", second, { activate: first }],
		["ArrowUp", section, { activate: section }],
		["Home", second, { activate: section }],
		["End", null, { activate: other }],
		["ArrowLeft", second, { activate: file }],
		["ArrowLeft", file, { act: file }],
		["ArrowLeft", other, null],
		["ArrowRight", other, { act: other }],
		["ArrowRight", file, { activate: first }],
		["ArrowRight", section, { activate: file }],
		["ArrowRight", first, null],
		["Enter", first, { act: first }],
		["Enter", null, null],
		["a", first, null],
	])("%s on %s", (key, active, expected) => {
		const stroke = strokeOf(rows, nodeOf, active, key);
		const found = stroke === null ? null : "act" in stroke ? { act: stroke.act.key } : { activate: stroke.activate.key };
		expect(found).toEqual(expected);
	});
});
