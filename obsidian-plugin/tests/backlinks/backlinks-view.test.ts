import { Menu, SearchComponent, type ViewStateResult, type WorkspaceLeaf as ObsidianLeaf } from "obsidian";
import { WorkspaceLeaf, type App } from "obsidian-test-mocks/obsidian";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BacklinksView } from "../../src/backlinks/backlinks-view";
import type { MentionPage } from "../../src/connection/protocol";
import type { SettingsStore } from "../../src/settings/settings-store";
import { dragged, FakeBridge, fakeApp, fakeSettings, mention, page, settle, STATUS, watchApp } from "../fakes";

let mock: App;
let bridge: FakeBridge;
let view: BacklinksView;
let settings: SettingsStore;
let isShown: boolean;
let type: (text: string) => unknown;
const start = vi.fn().mockResolvedValue(undefined);

beforeEach(async () => {
	vi.useFakeTimers();
	const fake = fakeApp({ "Newton.md": "# Life\n", "A.md": "", "B.canvas": "{}" });
	({ mock } = fake);
	bridge = new FakeBridge({ backlinks: page([mention()]), mentions: page([mention({ id: "u1", path: "C.md", title: "C" })]) });
	settings = fakeSettings(fake.app);
	vi.spyOn(SearchComponent.prototype, "onChange").mockImplementation(function (this: SearchComponent, handler) {
		type = handler;
		return this;
	});
	activate("Newton.md");
	view = new BacklinksView(WorkspaceLeaf.create2__(mock) as unknown as ObsidianLeaf, { bridge, settings, start });
	isShown = true;
	view.containerEl.isShown = () => isShown;
	document.body.append(view.containerEl);
	view.load();
	await view.onOpen();
	await settle();
});

afterEach(() => {
	view.unload();
	view.containerEl.remove();
	vi.useRealTimers();
});

function activate(path: string | null): void {
	vi.spyOn(mock.workspace, "getActiveFile").mockReturnValue(path === null ? null : mock.vault.getFileByPath(path));
	mock.workspace.trigger("file-open", null);
}

const all = (selector: string): HTMLElement[] => [...view.contentEl.querySelectorAll<HTMLElement>(selector)];
const one = (selector: string): HTMLElement => all(selector)[0] ?? expect.fail(`no ${selector}`);
const texts = (selector: string): string[] => all(selector).map(({ textContent }) => textContent);
const sections = (): string[] => texts(".vault-sidecar-section");
const press = (key: string, init: KeyboardEventInit = {}): boolean => one(".vault-sidecar-list").dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true, ...init }));
const openUnlinked = async (): Promise<void> => {
	all(".vault-sidecar-section")[1]?.click();
	await settle();
};

describe("what is shown", () => {
	it("shows sections, counts, files and the match", () => {
		expect(sections()).toEqual(["Linked mentions1", "Unlinked mentions"]);
		expect(texts(".vault-sidecar-file")).toEqual(["A1"]);
		expect(texts(".search-result-file-matched-text")).toEqual(["Newton"]);
		expect(bridge.inputs("backlinks")).toEqual([{ path: "Newton.md", section: null, kinds: [], folder: null, tag: null, sort: "name", limit: 500, cursor: null }]);
	});

	it("asks for unlinked mentions only when they are unfolded", async () => {
		expect(bridge.inputs("mentions")).toEqual([]);
		await openUnlinked();
		expect(sections()).toEqual(["Linked mentions1", "Unlinked mentionsLink all1"]);
		expect(bridge.inputs("mentions")).toHaveLength(1);
	});

	it("reads all pages", async () => {
		bridge.answers["backlinks"] = ({ cursor }: { cursor: string | null }): MentionPage =>
			cursor === null ? page([mention({ id: "1" })], { cursor: "next", total: 2 }) : page([mention({ id: "2", path: "B.canvas" })], { total: 2 });
		bridge.emit("changed", { paths: [], all: false, generation: 2 });
		await vi.advanceTimersByTimeAsync(60);
		expect(sections()[0]).toBe("Linked mentions2");
	});

	it("tells cards, properties, targets, aliases and hidden files", async () => {
		bridge.answers["backlinks"] = page([
			mention({ id: "1", path: "B.canvas", kind: "canvas", node_id: "n", node_text: "Gravity\nmore" }),
			mention({ id: "2", kind: "property", property: "author" }),
			mention({ id: "3", subpath: "#Life", alias: "Isaac", hidden: true }),
			mention({ id: "4", heading: "Plan" }),
		]);
		bridge.emit("reset", null);
		await vi.advanceTimersByTimeAsync(60);
		expect(texts(".vault-sidecar-origin")).toEqual(["Card: Gravity", "author:", "Plan ›"]);
		expect(texts(".vault-sidecar-target")).toEqual(["#Life", "as Isaac"]);
		expect(all(".vault-sidecar-hidden")).toHaveLength(1);
	});

	it("puts text of notes in as text", async () => {
		bridge.answers["backlinks"] = page([mention({ title: "<img src=x>", context: "<b>Newton</b>", start: 3, end: 9 })]);
		bridge.emit("reset", null);
		await vi.advanceTimersByTimeAsync(60);
		expect(view.contentEl.querySelector("b, img")).toBeNull();
		expect(texts(".vault-sidecar-mention")).toEqual(["<b>Newton</b>"]);
	});

	it("keeps 2,000 mentions in a screenful of elements", async () => {
		bridge.answers["backlinks"] = page(Array.from({ length: 2000 }, (_, index) => mention({ id: `m${index}`, path: `N${index % 100}.md` })));
		bridge.emit("reset", null);
		await vi.advanceTimersByTimeAsync(60);
		expect(sections()[0]).toBe("Linked mentions2000");
		expect(all("[data-key]").length).toBeLessThan(100);
	});

	it.each([
		[{ kind: "not-running" } as const, "The sidecar is not running.Start"],
		[{ kind: "offline" } as const, "The sidecar does not answer."],
		[{ kind: "online", status: { ...STATUS, state: "indexing", done: 1, total: 3 } } as const, "Indexing 1 of 3 files."],
	])("says %j above the list", (state, banner) => {
		bridge.emit("state", state);
		expect(texts(".vault-sidecar-banner")).toEqual([banner]);
		expect(all(".vault-sidecar-mention")).toHaveLength(state.kind === "online" ? 1 : 0);
	});

	it("starts the sidecar when asked to", () => {
		bridge.emit("state", { kind: "not-running" });
		one(".vault-sidecar-banner button").click();
		expect(start).toHaveBeenCalledOnce();
	});

	it("says that no file is open", () => {
		activate(null);
		expect(texts(".vault-sidecar-banner")).toEqual(["No file is open."]);
	});

	it("says why mentions are not there", async () => {
		delete bridge.answers["backlinks"];
		activate("A.md");
		await settle();
		expect(texts(".search-empty-state")).toEqual(["No answer for backlinks."]);
	});
});

describe("following and refreshing", () => {
	it("follows the active file, and drops the answer of an overtaken question", async () => {
		let late: (answer: MentionPage) => void = () => undefined;
		bridge.answers["backlinks"] = () => new Promise((resolve) => (late = resolve));
		activate("A.md");
		bridge.answers["backlinks"] = page([]);
		activate("B.canvas");
		await settle();
		late(page([mention()]));
		await settle();
		expect(texts(".search-empty-state")).toEqual(["No mentions found."]);
	});

	it("asks once for changes that come together, and keeps the old answer until the new one", async () => {
		let answer: (page: MentionPage) => void = () => undefined;
		bridge.answers["backlinks"] = () => new Promise((resolve) => (answer = resolve));
		for (let index = 0; index < 5; index++) bridge.emit("changed", { paths: [], all: true, generation: index });
		await vi.advanceTimersByTimeAsync(60);
		expect(bridge.inputs("backlinks")).toHaveLength(2);
		expect(sections()[0]).toBe("Linked mentions1");
		answer(page([]));
		await settle();
		expect(sections()[0]).toBe("Linked mentions0");
	});

	it("asks nothing while it cannot be seen, and once when it can", async () => {
		isShown = false;
		bridge.emit("changed", { paths: [], all: true, generation: 2 });
		await vi.advanceTimersByTimeAsync(5000);
		expect(bridge.inputs("backlinks")).toHaveLength(1);
		isShown = true;
		mock.workspace.trigger("layout-change");
		await vi.advanceTimersByTimeAsync(60);
		expect(bridge.inputs("backlinks")).toHaveLength(2);
	});

	it("asks nothing when nothing happens", async () => {
		await vi.advanceTimersByTimeAsync(600_000);
		expect(bridge.asked).toHaveLength(1);
		expect(vi.getTimerCount()).toBe(0);
	});

	it("stays with its note when pinned, also through a rename", async () => {
		one("[aria-label='Stay with this note'], .nav-action-button:last-child").click();
		activate("A.md");
		await settle();
		expect(view.getState()).toMatchObject({ pinned: "Newton.md" });
		expect(view.getDisplayText()).toBe("Backlinks of Newton");
		mock.vault.trigger("rename", { path: "Isaac.md" }, "Newton.md");
		await settle();
		expect(bridge.inputs("backlinks").at(-1)).toMatchObject({ path: "Isaac.md" });
	});

	it("is as the workspace kept it", async () => {
		await view.setState({ pinned: "A.md", sort: "relevance", kinds: ["canvas"], collapsed: { linked: false, unlinked: false } }, {} as ViewStateResult);
		await settle();
		expect(bridge.inputs("backlinks").at(-1)).toMatchObject({ path: "A.md", sort: "relevance", kinds: ["canvas"] });
		expect(bridge.inputs("mentions")).toHaveLength(1);
	});

	it("asks for unlinked mentions of the whole note only", async () => {
		await view.setState({ section: "Life", collapsed: { linked: false, unlinked: false } }, {} as ViewStateResult);
		await settle();
		expect(bridge.inputs("backlinks").at(-1)).toMatchObject({ section: "Life" });
		expect(bridge.inputs("mentions")).toEqual([]);
	});

	it("leaves canvases out when the settings say so", async () => {
		await settings.set("showCanvas", false);
		await vi.advanceTimersByTimeAsync(60);
		expect(bridge.inputs("backlinks").at(-1)).toMatchObject({ kinds: ["body", "embed", "property", "base"] });
	});
});

describe("using a row", () => {
	const opened = (): unknown[][] => vi.mocked(mock.workspace.openLinkText).mock.calls;
	beforeEach(() => void vi.spyOn(mock.workspace, "openLinkText").mockResolvedValue());

	it.each([
		[{}, false],
		[{ ctrlKey: true }, "tab"],
		[{ ctrlKey: true, altKey: true }, "split"],
		[{ ctrlKey: true, altKey: true, shiftKey: true }, "window"],
	])("a click with %j opens at the line", (init, pane) => {
		one(".vault-sidecar-mention").dispatchEvent(new MouseEvent("click", { bubbles: true, ...init }));
		expect(opened()).toEqual([["A.md", "", pane, { active: true, eState: { line: 3 } }]]);
	});

	it("a middle click opens a tab", () => {
		one(".vault-sidecar-mention").dispatchEvent(new MouseEvent("auxclick", { bubbles: true, button: 1 }));
		expect(opened()[0]?.[2]).toBe("tab");
	});

	it("a click on a file or a section folds it, and on its icon too", () => {
		one(".vault-sidecar-file").click();
		expect(all(".vault-sidecar-mention")).toHaveLength(0);
		one(".vault-sidecar-file .collapse-icon").click();
		expect(all(".vault-sidecar-mention")).toHaveLength(1);
		one(".vault-sidecar-section").click();
		expect(all(".vault-sidecar-file")).toHaveLength(0);
	});

	it("is used from the keyboard", () => {
		expect(press("ArrowDown")).toBe(false);
		press("ArrowDown");
		press("ArrowDown");
		expect(one(".vault-sidecar-active").classList).toContain("vault-sidecar-mention");
		expect(one(".vault-sidecar-list").getAttribute("aria-activedescendant")).toBe(one(".vault-sidecar-active").id);
		press("Enter");
		expect(opened()).toHaveLength(1);
		press("ArrowLeft");
		press("ArrowLeft");
		expect(all(".vault-sidecar-mention")).toHaveLength(0);
		expect(press("x")).toBe(true);
	});

	it("asks the app for a preview at the line", () => {
		const heard = vi.fn();
		mock.workspace.on("hover-link", heard);
		one(".vault-sidecar-mention").dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
		const { source, linktext, state, hoverParent } = heard.mock.calls[0]?.[0] as Record<string, unknown>;
		expect({ source, linktext, state, isOurs: hoverParent === view }).toEqual({ source: "vault-sidecar-backlinks", linktext: "A.md", state: { scroll: 3 }, isOurs: true });
	});

	it("drags a link where the app offers no dragging", () => {
		vi.spyOn(mock.fileManager, "generateMarkdownLink").mockReturnValue("[[A]]");
		expect(dragged(mock, one(".vault-sidecar-mention"))).toBe("[[A]]");
	});

	it("lets the app add to the menu of a file", () => {
		const heard = vi.fn();
		mock.workspace.on("file-menu", heard);
		one(".vault-sidecar-file").dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true }));
		expect(heard).toHaveBeenCalledWith(expect.any(Menu), expect.objectContaining({ path: "A.md" }), "vault-sidecar-backlinks", expect.anything());
	});
});

describe("filtering", () => {
	const field = (): HTMLInputElement => one(".vault-sidecar-search input") as HTMLInputElement;
	const isFilterShown = (): boolean => (view.getState() as { isFilterShown: boolean }).isFilterShown;

	it("the button shows the field, typing filters, escape hides it", () => {
		all(".nav-action-button")[4]?.click();
		expect(isFilterShown()).toBe(true);
		type("nowhere");
		expect(sections()[0]).toBe("Linked mentions0");
		field().dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
		expect(isFilterShown()).toBe(false);
		expect(sections()[0]).toBe("Linked mentions1");
	});

	it("a chip switches its filter off", async () => {
		await view.setState({ folder: "Projects" }, {} as ViewStateResult);
		expect(texts(".vault-sidecar-chip")).toEqual(["In Projects"]);
		one(".vault-sidecar-chip").click();
		await settle();
		expect(all(".vault-sidecar-chip")).toHaveLength(0);
		expect(bridge.inputs("backlinks").at(-1)).toMatchObject({ folder: null });
	});

	it("collapse folds all files, then unfolds them", () => {
		all(".nav-action-button")[0]?.click();
		expect(all(".vault-sidecar-mention")).toHaveLength(0);
		all(".nav-action-button")[0]?.click();
		expect(all(".vault-sidecar-mention")).toHaveLength(1);
	});
});

describe("linking", () => {
	beforeEach(async () => {
		bridge.answers["link_mentions"] = { change: "c9", linked: 1, files: ["C.md"] };
		await openUnlinked();
	});

	it("links one mention at once", async () => {
		one(".vault-sidecar-link").click();
		await settle();
		expect(bridge.inputs("link_mentions")).toEqual([{ path: "Newton.md", mentions: ["u1"], dry_run: false }]);
	});

	it("links all only after the files were named and confirmed", async () => {
		const { modals, press, notices } = watchApp();
		one(".vault-sidecar-link-all").click();
		await settle();
		expect(bridge.inputs("link_mentions")).toEqual([{ path: "Newton.md", mentions: ["u1"], dry_run: true }]);
		expect(modals).toHaveLength(1);
		press("Link");
		await settle();
		expect(bridge.inputs("link_mentions").at(-1)).toEqual({ path: "Newton.md", mentions: ["u1"], dry_run: false });
		expect(notices).toEqual(["Linked 1 mention. Undo"]);
	});

	it("offers one undo for what it linked", async () => {
		watchApp();
		bridge.answers["activity/undo"] = { undone: ["c9"], files: [], change: "c10" };
		const made = vi.spyOn(globalThis, "createFragment");
		one(".vault-sidecar-link").click();
		await settle();
		(made.mock.results[0]?.value as DocumentFragment).querySelector("button")?.click();
		await settle();
		expect(bridge.inputs("activity/undo")).toEqual([{ change: "c9", mode: "apply" }]);
	});

	it("says so when the text has changed since", async () => {
		const { notices } = watchApp();
		bridge.answers["link_mentions"] = { change: null, linked: 0, files: [] };
		one(".vault-sidecar-link").click();
		await settle();
		expect(notices).toEqual(["Nothing was linked: the text has changed since."]);
	});
});
