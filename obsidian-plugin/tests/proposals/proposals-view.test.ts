import { AbstractTextComponent, type ViewStateResult, type WorkspaceLeaf as ObsidianLeaf } from "obsidian";
import { WorkspaceLeaf, type App } from "obsidian-test-mocks/obsidian";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BridgeError } from "../../src/connection/bridge";
import type { Proposal } from "../../src/connection/protocol";
import { ProposalsView } from "../../src/proposals/proposals-view";
import { dragged, FakeBridge, fakeApp, proposal, proposedFile, settle, watchApp } from "../fakes";

const DAY = 86_400_000;
let mock: App;
let bridge: FakeBridge;
let view: ProposalsView;
let isShown: boolean;
let type: (text: string) => unknown;
let opened: ReturnType<typeof vi.spyOn>;

const setUp = async (...proposals: Proposal[]): Promise<void> => {
	bridge.answers["proposals"] = { proposals };
	await view.onOpen();
	await settle();
};

beforeEach(() => {
	vi.useFakeTimers();
	const fake = fakeApp({ "A.md": "" });
	({ mock } = fake);
	bridge = new FakeBridge({ "proposals/p1/accept": {}, "proposals/p1/reject": {} });
	opened = vi.spyOn(mock.workspace, "openLinkText").mockResolvedValue(undefined);
	vi.spyOn(AbstractTextComponent.prototype, "onChange").mockImplementation(function (this: AbstractTextComponent<HTMLInputElement>, handler) {
		type = handler;
		return this;
	});
	view = new ProposalsView(WorkspaceLeaf.create2__(mock) as unknown as ObsidianLeaf, { bridge, start: vi.fn() });
	isShown = true;
	view.containerEl.isShown = () => isShown;
	document.body.append(view.containerEl);
	view.load();
});

afterEach(() => {
	view.unload();
	view.containerEl.remove();
	vi.useRealTimers();
});

const all = (selector: string): HTMLElement[] => [...view.contentEl.querySelectorAll<HTMLElement>(selector)];
const texts = (selector: string): string[] => all(selector).map(({ textContent }) => textContent);
const click = async (selector: string, index = 0): Promise<void> => {
	(all(selector)[index] ?? expect.fail(`no ${selector}`)).click();
	await settle();
};
const boxes = (): (boolean | "partly")[] => (all(".vault-sidecar-box") as HTMLInputElement[]).map(({ checked, indeterminate }) => (indeterminate ? "partly" : checked));

describe("what is shown", () => {
	it("says that nothing waits", async () => {
		await setUp();
		expect(texts(".vault-sidecar-section")).toEqual(["Waiting for you0"]);
		expect(texts(".search-empty-state")).toEqual(["No change waits for you. Agents ask first where an access rule says so."]);
	});

	it("says why it cannot show them", async () => {
		await view.onOpen();
		expect(texts(".search-empty-state")).toEqual(["No answer for proposals."]);
	});

	it("shows who wants what and why, part by part, as text", async () => {
		await setUp(proposal({ reason: "<b>why</b>", files: [proposedFile({ hidden: true })] }));
		expect(texts(".vault-sidecar-summary")).toEqual(["Edit A.md"]);
		expect(texts(".vault-sidecar-reason")).toEqual(["<b>why</b>"]);
		expect(texts(".vault-sidecar-hunk-line")).toEqual(["Line 1", "Line 10"]);
		expect(texts(".vault-sidecar-diff-file")).toEqual(["A.md+2 −0"]);
		expect(all(".vault-sidecar-hidden")).toHaveLength(1);
		expect(view.contentEl.querySelector("b")).toBeNull();
	});

	it("folds what was decided, and keeps that", async () => {
		await setUp(proposal(), proposal({ id: "p0", state: "rejected", answer: "Too early" }));
		expect(texts(".vault-sidecar-section")).toEqual(["Waiting for you1", "Decided1"]);
		expect(all(".vault-sidecar-proposal")).toHaveLength(1);
		await click(".vault-sidecar-section", 1);
		expect(texts(".vault-sidecar-proposal")[1]).toContain("Rejected");
		expect(texts(".vault-sidecar-proposal")[1]).toContain("Too early");
		expect(view.getState()).toMatchObject({ isDecidedFolded: false });
		await view.setState({ isDecidedFolded: true }, {} as ViewStateResult);
		expect(all(".vault-sidecar-proposal")).toHaveLength(1);
	});

	it.each([
		[{ state: "accepted" as const }, "Accepted"],
		[{ state: "accepted" as const, partial: true }, "Accepted in part"],
		[{ state: "expired" as const }, "Expired"],
		[{ state: "failed" as const }, "Could not be written"],
		[{ expires: 3 * DAY }, "Expires in 3 days"],
		[{ expires: DAY / 2 }, "Expires within a day"],
		[{ stale: true }, "Out of date"],
	])("says of %j: %s", async (over, words) => {
		vi.setSystemTime(0);
		await view.setState({ isDecidedFolded: false }, {} as ViewStateResult);
		await setUp(proposal(over));
		expect(texts(".vault-sidecar-state")).toEqual([words]);
	});

	it("unfolds what was decided without boxes and buttons", async () => {
		await view.setState({ isDecidedFolded: false }, {} as ViewStateResult);
		await setUp(proposal({ state: "accepted" }));
		expect(all(".vault-sidecar-hunk")).toEqual([]);
		await click(".vault-sidecar-proposal");
		expect([all(".vault-sidecar-hunk").length, all(".vault-sidecar-box").length, all(".vault-sidecar-actions").length]).toEqual([2, 0, 0]);
	});

	it("names what is new, moved and trashed", async () => {
		await setUp(proposal({ files: [proposedFile({ op: "create", path: "N.md" }), proposedFile({ op: "move", path: "O.md", to: "P.md", hunks: [] }), proposedFile({ op: "trash", path: "Q.md", hunks: [] })] }));
		expect(texts(".vault-sidecar-diff-file .tree-item-inner")).toEqual(["N.md (new)", "O.md → P.md", "Q.md (trash)"]);
	});
});

describe("choosing", () => {
	it("has a box for the file and for each part, all ticked at first", async () => {
		await setUp(proposal());
		expect(boxes()).toEqual([true, true, true]);
		await click(".vault-sidecar-box", 1);
		expect(boxes()).toEqual(["partly", false, true]);
		expect(texts(".vault-sidecar-accept")).toEqual(["Accept 1 of 2 parts"]);
		await click(".vault-sidecar-box", 0);
		expect(boxes()).toEqual([true, true, true]);
		await click(".vault-sidecar-box", 0);
		expect([boxes(), (all(".vault-sidecar-accept")[0] as HTMLButtonElement).disabled]).toEqual([[false, false, false], true]);
	});

	it.each([
		["as a whole only", proposal({ whole: true })],
		["of which one part is all there is", proposal({ files: [proposedFile({ whole: true })] })],
		["that is out of date", proposal({ stale: true })],
	])("has no boxes in a proposal %s", async (_name, shown) => {
		await setUp(shown);
		expect(boxes()).toEqual([]);
	});

	it("has one box for a file that is taken as a whole", async () => {
		await setUp(proposal({ files: [proposedFile({ whole: true }), proposedFile({ path: "B.md", whole: true })] }));
		expect(boxes()).toEqual([true, true]);
	});
});

describe("deciding", () => {
	it("accepts everything", async () => {
		await setUp(proposal());
		await click(".vault-sidecar-accept");
		expect(bridge.inputs("proposals/p1/accept")).toEqual([{ files: null }]);
		expect(bridge.inputs("proposals")).toHaveLength(2);
	});

	it("accepts what is ticked", async () => {
		await setUp(proposal());
		await click(".vault-sidecar-box", 2);
		await click(".vault-sidecar-accept");
		expect(bridge.inputs("proposals/p1/accept")).toEqual([{ files: [{ path: "A.md", hunks: ["h1"] }] }]);
	});

	it("accepts once, however often it is clicked", async () => {
		await setUp(proposal());
		let done: (answer: object) => void = () => undefined;
		bridge.answers["proposals/p1/accept"] = () => new Promise((resolve) => (done = resolve));
		await click(".vault-sidecar-accept");
		expect((all(".vault-sidecar-accept")[0] as HTMLButtonElement).disabled).toBe(true);
		await click(".vault-sidecar-accept");
		done({});
		await settle();
		expect(bridge.inputs("proposals/p1/accept")).toHaveLength(1);
	});

	it("tells why it could not be accepted, and shows what it looks like now", async () => {
		const { notices } = watchApp();
		await setUp(proposal());
		bridge.answers["proposals/p1/accept"] = () => {
			throw new BridgeError(409, { error: "stale", message: "It looks different by now.", hint: "Look at it again." });
		};
		bridge.answers["proposals"] = { proposals: [proposal({ stale: true, problem: "A.md was changed." })] };
		await click(".vault-sidecar-accept");
		expect(notices).toEqual(["It looks different by now. Look at it again."]);
		expect(texts(".vault-sidecar-problem")).toEqual(["A.md was changed."]);
		expect((all(".vault-sidecar-accept")[0] as HTMLButtonElement).disabled).toBe(true);
	});

	it.each([
		["  Not now  ", "Not now"],
		["", null],
	])("rejects with the reason %j", async (typed, reason) => {
		const { press, modals } = watchApp();
		await setUp(proposal());
		await click(".vault-sidecar-reject");
		expect(modals.map(({ titleEl }) => titleEl.textContent)).toEqual(["Reject: Edit A.md"]);
		expect(bridge.inputs("proposals/p1/reject")).toEqual([]);
		type(typed);
		press("Reject");
		await settle();
		expect(bridge.inputs("proposals/p1/reject")).toEqual([{ reason }]);
	});
});

describe("news", () => {
	beforeEach(() => setUp(proposal()));

	it("shows a proposal that comes at once", async () => {
		bridge.answers["proposals"] = { proposals: [proposal({ id: "p2" }), proposal()] };
		bridge.emit("proposal", { id: "p2", state: "waiting" });
		await settle();
		expect(all(".vault-sidecar-proposal")).toHaveLength(2);
	});

	it("asks once for changes of files that come together", async () => {
		for (let generation = 1; generation < 4; generation++) bridge.emit("changed", { paths: [], all: false, generation });
		await vi.advanceTimersByTimeAsync(200);
		expect(bridge.inputs("proposals")).toHaveLength(2);
	});

	it("waits until it can be seen", async () => {
		isShown = false;
		bridge.emit("proposal", { id: "p2", state: "waiting" });
		await settle();
		expect(bridge.inputs("proposals")).toHaveLength(1);
		isShown = true;
		view.onResize();
		expect(bridge.inputs("proposals")).toHaveLength(2);
	});

	it("keeps what is left out while a proposal is asked for again", async () => {
		await click(".vault-sidecar-box", 1);
		bridge.emit("reset", null);
		await vi.advanceTimersByTimeAsync(200);
		expect(boxes()).toEqual(["partly", false, true]);
	});

	it("says when the sidecar is away", () => {
		bridge.emit("state", { kind: "offline" });
		expect(texts(".vault-sidecar-banner")).toEqual(["The sidecar does not answer."]);
	});
});

describe("opening and keys", () => {
	beforeEach(() => setUp(proposal()));

	it("opens the file or the line, not on a click into the text", async () => {
		await click(".vault-sidecar-diff-file");
		await click(".vault-sidecar-hunk-line", 1);
		await click(".vault-sidecar-line");
		expect(opened.mock.calls.map(([path, , , state]: unknown[]) => [path, state])).toEqual([
			["A.md", { active: true, eState: {} }],
			["A.md", { active: true, eState: { line: 8 } }],
		]);
	});

	it("makes no note of one that is only proposed", async () => {
		const { notices } = watchApp();
		bridge.answers["proposals"] = { proposals: [proposal({ files: [proposedFile({ op: "create", path: "N.md" })] })] };
		bridge.emit("proposal", { id: "p1", state: "waiting" });
		await settle();
		await click(".vault-sidecar-diff-file");
		expect([opened.mock.calls, notices]).toEqual([[], ["N.md is not there."]]);
	});

	it("previews and drags the file", async () => {
		const heard = vi.fn();
		mock.workspace.on("hover-link", heard);
		vi.spyOn(mock.fileManager, "generateMarkdownLink").mockReturnValue("[[A]]");
		await setUp(proposal());
		const [file] = all(".vault-sidecar-diff-file");
		file?.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
		expect(heard).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ linktext: "A.md", source: "vault-sidecar-proposals" }));
		expect([dragged(mock, file), dragged(mock, all(".vault-sidecar-proposal")[0]), dragged(mock, all(".vault-sidecar-diff")[0])]).toEqual(["[[A]]", "[[A]]", null]);
	});

	it("moves with the arrows, ticks with Space, folds with Enter", async () => {
		const list = all(".vault-sidecar-list")[0] ?? expect.fail("no list");
		const press = (key: string): boolean => list.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true }));
		for (let times = 0; times < 4; times++) press("ArrowDown");
		press(" ");
		expect(boxes()).toEqual(["partly", false, true]);
		press("ArrowUp");
		press("ArrowUp");
		press("Enter");
		expect(all(".vault-sidecar-hunk")).toEqual([]);
		expect(press("x")).toBe(true);
		await settle();
	});
});
