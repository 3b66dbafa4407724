import { Menu, SearchComponent, type ViewStateResult, type WorkspaceLeaf as ObsidianLeaf } from "obsidian";
import { WorkspaceLeaf, type App } from "obsidian-test-mocks/obsidian";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ActivityView } from "../../src/activity/activity-view";
import { Seen } from "../../src/activity/seen";
import type { Change } from "../../src/connection/protocol";
import { Unread } from "../../src/status/unread";
import { change, changeEntry, dragged as draggedIn, FakeBridge, fakeApp, fileDiff, settle, STATUS, watchApp } from "../fakes";

const start = vi.fn().mockResolvedValue(undefined);
const hunk = { old_start: 3, new_start: 4, lines: [{ kind: "+" as const, text: "<b>x</b>" }] };
const CHANGES = [
	change({ id: "c3", summary: "Edit A.md", reason: "<i>why</i>", entries: [changeEntry()] }),
	change({ id: "c2", client: "cursor", session: "s2", summary: "Move B.md", entries: [changeEntry({ op: "move", path: "B.md", to: "C.md", added: 0, removed: 0 })] }),
	change({ id: "c1", summary: "Trash D.md", undone_by: "c0", entries: [changeEntry({ op: "trash", path: "D.md" }), changeEntry({ path: "E.md", hidden: true })] }),
];

let mock: App;
let bridge: FakeBridge;
let unread: Unread;
let seen: Seen;
let view: ActivityView;
let isShown: boolean;
let hasFocus: boolean;
let type: (text: string) => unknown;
let opened: ReturnType<typeof vi.spyOn>;

beforeEach(async () => {
	const fake = fakeApp({ "A.md": "", "C.md": "" });
	({ mock } = fake);
	const status = { ...STATUS, change_cursor: "c3", clients: [{ name: "zed", session: "s9", since: 0 }] };
	bridge = new FakeBridge({ activity: { changes: CHANGES, before: null }, "activity/c3/diff": { id: "c3", files: [fileDiff({ hunks: [hunk] })] } }, { kind: "online", status });
	unread = new Unread();
	fake.app.saveLocalStorage("vault-sidecar-seen", "c1");
	seen = new Seen(fake.app, bridge, unread);
	seen.load();
	bridge.emit("reset", null);
	await settle();
	vi.spyOn(SearchComponent.prototype, "onChange").mockImplementation(function (this: SearchComponent, handler) {
		type = handler;
		return this;
	});
	hasFocus = true;
	vi.spyOn(document, "hasFocus").mockImplementation(() => hasFocus);
	opened = vi.spyOn(mock.workspace, "openLinkText").mockResolvedValue(undefined);
	view = new ActivityView(WorkspaceLeaf.create2__(mock) as unknown as ObsidianLeaf, { bridge, seen, unread, start });
	isShown = true;
	view.containerEl.isShown = () => isShown;
	document.body.append(view.containerEl);
	view.load();
});

afterEach(() => {
	view.unload();
	seen.unload();
	view.containerEl.remove();
});

const open = async (): Promise<void> => {
	await view.onOpen();
	await settle();
};
const all = (selector: string): HTMLElement[] => [...view.contentEl.querySelectorAll<HTMLElement>(selector)];
const texts = (selector: string): string[] => all(selector).map(({ textContent }) => textContent);
const row = (text: string): HTMLElement => all("[data-key]").find(({ textContent }) => textContent.includes(text)) ?? expect.fail(`no row ${text}`);
const click = async (el: HTMLElement | null | undefined): Promise<void> => {
	(el ?? expect.fail("nothing to click")).click();
	await settle();
};
const dragged = (el: HTMLElement | undefined): string | null => draggedIn(mock, el);
const BUTTONS = ["Collapse results", "Choose an agent", "Filter by path", "Mark all as seen"];
const button = (label: string): HTMLElement => all(".nav-action-button")[BUTTONS.indexOf(label)] ?? expect.fail(`no button ${label}`);
const menuOf = async (act: () => void | Promise<void>): Promise<{ title__: string; onClick__: () => void }[]> => {
	let items: unknown;
	vi.spyOn(Menu.prototype, "showAtMouseEvent").mockImplementation(function (this: Menu) {
		items = (this as unknown as { menuItems__: unknown }).menuItems__;
		return this;
	});
	await act();
	return items as { title__: string; onClick__: () => void }[];
};
const news = async (...changes: Change[]): Promise<void> => {
	bridge.answers["activity"] = { changes: [...changes, ...CHANGES], before: null };
	for (const { id, client, session, summary } of changes) bridge.emit("activity", { id, client, session, summary, paths: [] });
	await settle();
};

describe("what is shown", () => {
	beforeEach(open);

	it("shows sessions, changes, counts, reasons and states", () => {
		expect(texts(".vault-sidecar-client")).toEqual(["claude", "cursor"]);
		expect(texts(".vault-sidecar-summary")).toEqual(["Edit A.md", "Trash D.md", "Move B.md"]);
		expect(texts(".vault-sidecar-counts")).toEqual(["+2 −1", "+4 −2"]);
		expect(texts(".vault-sidecar-state")).toEqual(["Undone"]);
		expect(all(".vault-sidecar-hidden")).toHaveLength(1);
	});

	it("puts what agents and notes say in as text", async () => {
		await click(row("Edit A.md"));
		expect(view.contentEl.querySelector("i, b")).toBeNull();
		expect(texts(".vault-sidecar-reason")).toEqual(["<i>why</i>"]);
		expect(texts(".vault-sidecar-added")).toEqual(["+<b>x</b>"]);
	});

	it("asks for a diff once, when it is unfolded", async () => {
		expect(bridge.inputs("activity/c3/diff")).toEqual([]);
		await click(row("Edit A.md"));
		expect(texts(".vault-sidecar-diff-file")).toEqual(["A.md+1 −0"]);
		await click(row("Edit A.md"));
		expect(all(".vault-sidecar-diff")).toEqual([]);
		await click(row("Edit A.md"));
		expect(bridge.inputs("activity/c3/diff")).toHaveLength(1);
	});

	it("asks again for a diff that could not be had", async () => {
		await click(row("Move B.md"));
		expect(texts(".search-empty-state")).toEqual(["No answer for activity/c2/diff."]);
		await click(row("Move B.md"));
		bridge.answers["activity/c2/diff"] = { id: "c2", files: [fileDiff({ op: "move", path: "B.md", to: "C.md" })] };
		await click(row("Move B.md"));
		expect(texts(".vault-sidecar-diff-file")).toEqual(["B.md → C.md"]);
	});

	it("keeps what it has while the sidecar is away, and says so", async () => {
		bridge.emit("state", { kind: "not-running" });
		expect(texts(".vault-sidecar-banner")).toEqual(["The sidecar is not running.Start"]);
		expect(all(".vault-sidecar-change")).toHaveLength(3);
		await click(all(".vault-sidecar-banner button")[0]);
		expect(start).toHaveBeenCalledOnce();
	});

	it("asks again when something happened, or may have", async () => {
		await news(change({ id: "c4", summary: "New" }));
		expect(texts(".vault-sidecar-summary")[0]).toBe("New");
		bridge.emit("reset", null);
		await settle();
		// Once more by the part that counts what is unread.
		expect(bridge.inputs("activity").filter((input) => "before" in (input as object))).toHaveLength(3);
	});

	it("asks nothing while it cannot be seen, and once when it can", async () => {
		isShown = false;
		view.onResize();
		const before = bridge.inputs("activity").length;
		await news(change({ id: "c4" }), change({ id: "c5" }));
		expect(bridge.inputs("activity")).toHaveLength(before);
		isShown = true;
		view.onResize();
		await settle();
		expect(bridge.inputs("activity")).toHaveLength(before + 1);
		expect(all(".vault-sidecar-change")).toHaveLength(5);
	});

	it("shows older changes when asked to", async () => {
		bridge.answers["activity"] = { changes: CHANGES, before: "c1" };
		bridge.emit("reset", null);
		await settle();
		bridge.answers["activity"] = { changes: [change({ id: "b1", summary: "Older" })], before: null };
		await click(all(".vault-sidecar-more")[0]);
		expect(texts(".vault-sidecar-summary")).toContain("Older");
		expect(all(".vault-sidecar-more")).toEqual([]);
	});
});

describe("what is unread", () => {
	const marked = (): string[] => texts(".vault-sidecar-change.is-unread .vault-sidecar-summary");

	it("marks what came after the last look, which then counts as seen", async () => {
		expect(unread.count).toBe(2);
		await open();
		expect(marked()).toEqual(["Edit A.md", "Move B.md"]);
		expect([unread.count, seen.last]).toEqual([0, "c3"]);
	});

	it("marks what comes while it is looked at, without counting it", async () => {
		await open();
		await news(change({ id: "c4", summary: "New" }));
		expect([marked().includes("New"), unread.count]).toEqual([true, 0]);
	});

	it("counts while the app is in the background, and no more once it is not", async () => {
		await open();
		hasFocus = false;
		await news(change({ id: "c4", summary: "New" }));
		expect(unread.count).toBe(1);
		hasFocus = true;
		window.dispatchEvent(new Event("focus"));
		expect([unread.count, marked()]).toEqual([0, ["New"]]);
	});

	it("forgets the marks when it is shown again", async () => {
		await open();
		isShown = false;
		view.onResize();
		isShown = true;
		view.onResize();
		expect(marked()).toEqual([]);
	});

	it("forgets them when told to", async () => {
		await open();
		await click(button("Mark all as seen"));
		expect(marked()).toEqual([]);
	});

	it("counts on while it is hidden", async () => {
		isShown = false;
		await open();
		await news(change({ id: "c4" }));
		expect(unread.count).toBe(3);
	});
});

describe("undo", () => {
	beforeEach(async () => {
		await open();
		bridge.answers["activity/undo"] = { undone: ["c3"], files: [fileDiff({ hunks: [hunk] })], change: "c4" };
	});

	it("undoes one change after a question", async () => {
		const { modals, press, notices } = watchApp();
		await click(row("Edit A.md").querySelector<HTMLElement>(".vault-sidecar-undo"));
		expect(modals.map(({ titleEl, contentEl }) => titleEl.textContent + contentEl.textContent)).toEqual(["Undo: Edit A.mdA.md +1 −0"]);
		press("Undo");
		await settle();
		expect(bridge.inputs("activity/undo")).toEqual([
			{ change: "c3", mode: "check" },
			{ change: "c3", mode: "apply" },
		]);
		expect(notices).toEqual(["Undone in 1 file."]);
		expect(all(".vault-sidecar-diff")).toEqual([]);
	});

	it("undoes a session", async () => {
		const { modals } = watchApp();
		await click(row("cursor").querySelector<HTMLElement>(".vault-sidecar-undo"));
		expect(modals.map(({ titleEl }) => titleEl.textContent)).toEqual(["Undo all that cursor did in this session"]);
		expect(bridge.inputs("activity/undo")).toEqual([{ session: "s2", mode: "check" }]);
	});

	it("offers none for what is undone", () => expect(row("Trash D.md").querySelector(".vault-sidecar-undo")).toBeNull());

	it("tells why it cannot", async () => {
		const { notices } = watchApp();
		delete bridge.answers["activity/undo"];
		await click(row("Edit A.md").querySelector<HTMLElement>(".vault-sidecar-undo"));
		expect(notices).toEqual(["No answer for activity/undo."]);
	});
});

describe("opening", () => {
	beforeEach(async () => {
		await open();
		await click(row("Edit A.md"));
	});

	it("opens the file, or the line of a part of the diff", async () => {
		await click(all(".vault-sidecar-diff-file")[0]);
		await click(all(".vault-sidecar-hunk-line")[0]);
		expect(opened.mock.calls).toEqual([
			["A.md", "", false, { active: true, eState: {} }],
			["A.md", "", false, { active: true, eState: { line: 3 } }],
		]);
	});

	it("opens in a tab with the middle button, where a change was moved to", async () => {
		row("Move B.md").dispatchEvent(new MouseEvent("auxclick", { button: 1, bubbles: true }));
		await settle();
		expect(opened.mock.calls.map(([path, , pane]: unknown[]) => [path, pane])).toEqual([["C.md", "tab"]]);
	});

	it("opens nothing when text in the diff is selected", async () => {
		await click(all(".vault-sidecar-line")[0]);
		expect(opened).not.toHaveBeenCalled();
	});

	it("asks the app for a preview of the file, at the line of a part of the diff", () => {
		const heard = vi.fn();
		mock.workspace.on("hover-link", heard);
		for (const el of [row("Edit A.md"), all(".vault-sidecar-diff-file")[0], all(".vault-sidecar-diff")[0], row("claude"), row("Trash D.md")]) {
			el?.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
		}
		const asked = heard.mock.calls.map(([said]) => said as { linktext: string; source: string; state: object });
		expect(asked.map(({ linktext, source, state }) => [linktext, source, state])).toEqual([
			["A.md", "vault-sidecar-activity", {}],
			["A.md", "vault-sidecar-activity", {}],
			["A.md", "vault-sidecar-activity", { scroll: 3 }],
		]);
	});

	it("drags a change as a link to its file, where it is by now", () => {
		const link = vi.spyOn(mock.fileManager, "generateMarkdownLink").mockImplementation(({ path }) => `[[${path}]]`);
		expect([dragged(row("Edit A.md")), dragged(row("Move B.md")), dragged(all(".vault-sidecar-diff-file")[0])]).toEqual(["[[A.md]]", "[[C.md]]", "[[A.md]]"]);
		expect([dragged(row("Trash D.md")), dragged(row("claude")), dragged(all(".vault-sidecar-diff")[0])]).toEqual([null, null, null]);
		expect(link).toHaveBeenCalledTimes(3);
	});

	it("makes no new note of a file that is gone", async () => {
		const { notices } = watchApp();
		row("Trash D.md").dispatchEvent(new MouseEvent("auxclick", { button: 1, bubbles: true }));
		await settle();
		expect(opened).not.toHaveBeenCalled();
		expect(notices).toEqual(["D.md is not there."]);
	});
});

describe("filters and folding", () => {
	beforeEach(open);

	it("filters by path, and hides the field with its button", async () => {
		await click(button("Filter by path"));
		type("b.md");
		expect(texts(".vault-sidecar-summary")).toEqual(["Move B.md"]);
		await click(button("Filter by path"));
		expect(all(".vault-sidecar-summary")).toHaveLength(3);
	});

	it("asks for one agent, of those that are known or connected", async () => {
		const items = await menuOf(() => click(button("Choose an agent")));
		expect(items.map(({ title__ }) => title__)).toEqual(["All", "claude", "cursor", "zed"]);
		bridge.answers["activity"] = { changes: [CHANGES[1]], before: null };
		items[2]?.onClick__();
		await settle();
		expect(bridge.inputs("activity").at(-1)).toMatchObject({ client: "cursor" });
		expect(texts(".vault-sidecar-summary")).toEqual(["Move B.md"]);
		expect(view.getState()).toMatchObject({ client: "cursor" });
	});

	it("keeps its state", async () => {
		await click(row("claude"));
		const state = view.getState();
		expect(texts(".vault-sidecar-summary")).toEqual(["Move B.md"]);
		await view.setState({ ...state, folded: [], client: "cursor" }, {} as ViewStateResult);
		await settle();
		expect(bridge.inputs("activity").at(-1)).toMatchObject({ client: "cursor" });
	});

	it("folds diffs, then sessions, then unfolds them", async () => {
		await click(row("Edit A.md"));
		await click(button("Collapse results"));
		expect([all(".vault-sidecar-diff").length, all(".vault-sidecar-change").length]).toEqual([0, 3]);
		await click(button("Collapse results"));
		expect(all(".vault-sidecar-change")).toEqual([]);
		await click(button("Collapse results"));
		expect(all(".vault-sidecar-change")).toHaveLength(3);
	});

	it("offers in its menu to undo, to open, and to show one agent only", async () => {
		const items = await menuOf(() => void row("Edit A.md").dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true })));
		expect(items.map(({ title__ }) => title__)).toEqual(["Undo this change", "Open A.md", "Show only claude"]);
		const ofUndone = await menuOf(() => void row("Trash D.md").dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true })));
		expect(ofUndone.map(({ title__ }) => title__)).toEqual(["Show only claude"]);
		items[1]?.onClick__();
		await settle();
		expect(opened).toHaveBeenCalledWith("A.md", "", false, expect.anything());
	});

	it("moves and unfolds with the keyboard", async () => {
		const list = all(".vault-sidecar-list")[0] ?? expect.fail("no list");
		const press = (key: string): boolean => list.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
		press("ArrowDown");
		press("ArrowDown");
		expect(texts(".vault-sidecar-active .vault-sidecar-summary")).toEqual(["Edit A.md"]);
		expect(list.getAttribute("aria-activedescendant")).toBe(all(".vault-sidecar-active")[0]?.id);
		press("ArrowRight");
		await settle();
		expect(all(".vault-sidecar-hunk")).toHaveLength(1);
		expect(press("x")).toBe(true);
	});

	it("leaves keys to a button that has the focus", () => {
		const undo = all(".vault-sidecar-undo")[0];
		expect(undo?.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", cancelable: true, bubbles: true }))).toBe(true);
		expect(all(".vault-sidecar-active")).toEqual([]);
	});
});
