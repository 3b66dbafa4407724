import type { Menu as ObsidianMenu, TFile } from "obsidian";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { filterMenu, rowMenu, sortMenu } from "../../src/backlinks/menus";
import { FIRST_STATE, type PaneState } from "../../src/backlinks/pane-state";
import { sectionsOf } from "../../src/backlinks/sections";
import { fakeApp, mention } from "../fakes";

/** What the mock menu lets a test see. */
interface Item {
	title__?: string;
	checked__?: boolean | null;
	onClick__?: () => void;
}

const itemsOf = (menu: ObsidianMenu): Item[] => (menu as unknown as { items__: object[] }).items__.filter((item): item is Item => "title__" in item);
const choose = (menu: ObsidianMenu, title: string): void => itemsOf(menu).find(({ title__ }) => title__ === title)?.onClick__?.();
const checked = (menu: ObsidianMenu): unknown[] => itemsOf(menu).flatMap(({ title__, checked__ }) => (checked__ === true ? [title__] : []));

let changes: Partial<PaneState>[];
const change = (next: Partial<PaneState>): unknown => changes.push(next);
beforeEach(() => void (changes = []));

it("offers six sort orders and relevance", () => {
	const menu = sortMenu({ ...FIRST_STATE, sort: "modified" }, change);
	expect(itemsOf(menu)).toHaveLength(7);
	expect(checked(menu)).toEqual(["Modified time (new to old)"]);
	choose(menu, "Relevance");
	expect(changes).toEqual([{ sort: "relevance" }]);
});

it("offers headings and kinds, each on or off", () => {
	const menu = filterMenu(fakeApp().app, { ...FIRST_STATE, section: "Life", kinds: ["canvas"] }, ["Life", "^b1"], change);
	expect(checked(menu)).toEqual(["Only #Life", "Canvas cards"]);
	choose(menu, "Only #Life");
	choose(menu, "Only #^b1");
	choose(menu, "Bases");
	expect(changes).toEqual([{ section: null }, { section: "^b1" }, { kinds: ["canvas", "base"] }]);
});

describe("the menu of a row", () => {
	const link = vi.fn();
	const { app } = fakeApp();
	const row = { kind: "mention", key: "k", section: "linked", mention: mention({ subpath: "#Life" }) } as const;

	it("of a mention can keep to its heading", () => {
		choose(rowMenu(app, row, change, link), "Only #Life");
		expect(changes).toEqual([{ section: "Life" }]);
	});

	it("of a file can link all of its mentions, when they can be linked", () => {
		const file = { kind: "file", key: "k", section: "unlinked", path: "A.md", title: "A", count: 2, isFolded: false, isHidden: false, linkable: ["1", "2"] } as const;
		choose(rowMenu(app, file, change, link), "Link all in this note");
		expect(link).toHaveBeenCalledExactlyOnceWith(["1", "2"]);
		expect(itemsOf(rowMenu(app, { ...file, linkable: [] }, change, link)).map(({ title__ }) => title__)).toEqual(["Open in new tab", "Open to the right", "Open in new window"]);
	});

	it.each([
		["Open in new tab", "tab"],
		["Open to the right", "split"],
		["Open in new window", "window"],
	])("%s", (title, pane) => {
		const { app: fresh, mock } = fakeApp({ "A.md": "" });
		const open = vi.spyOn(mock.workspace, "openLinkText").mockResolvedValue();
		choose(rowMenu(fresh, row, change, link), title);
		expect(open.mock.calls[0]?.[2]).toBe(pane);
	});
});

describe("sectionsOf", () => {
	const linked = { status: "loaded", mentions: [mention({ subpath: "#Life" }), mention({ subpath: "#^b1" }), mention()], total: 3 } as const;
	const heading = (text: string, line: number): object => ({ heading: text, position: { start: { line } } });
	const { app, mock } = fakeApp({ "Newton.md": "" });
	const file = mock.vault.getFileByPath("Newton.md") as unknown as TFile;
	const cursorAt = (line: number, path: string): void => {
		Object.assign(mock.workspace, { activeEditor: { file: { path }, editor: { getCursor: () => ({ line }) } } });
	};
	beforeEach(() => void vi.spyOn(mock.metadataCache, "getFileCache").mockReturnValue({ headings: [heading("Work", 2), heading("Light", 8)] } as never));

	it.each([
		[5, "Newton.md", ["Work", "Life", "^b1"]],
		[8, "Newton.md", ["Light", "Life", "^b1"]],
		[0, "Newton.md", ["Life", "^b1"]],
		[5, "Other.md", ["Life", "^b1"]],
	])("with the cursor at line %d of %s", (line, path, expected) => {
		cursorAt(line, path);
		expect(sectionsOf(app, file, linked)).toEqual(expected);
	});

	it("knows nothing before the mentions are there", () => {
		Object.assign(mock.workspace, { activeEditor: null });
		expect(sectionsOf(app, file, { status: "loading" })).toEqual([]);
	});
});
