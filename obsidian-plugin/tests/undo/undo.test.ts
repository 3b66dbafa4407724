import { beforeEach, expect, it, vi } from "vitest";
import { BridgeError } from "../../src/connection/bridge";
import { ConflictModal } from "../../src/diff/conflict-modal";
import { askToUndo, lastChange, listOf, undoNow } from "../../src/undo/undo";
import { change, FakeBridge, fakeApp, fileDiff, settle, watchApp } from "../fakes";

const hunk = { old_start: 1, new_start: 1, lines: [{ kind: "-" as const, text: "a" }, { kind: "+" as const, text: "b" }, { kind: "+" as const, text: "c" }] };
const undone = { undone: ["c1"], files: [fileDiff({ hunks: [hunk] })], change: "c2" };

let bridge: FakeBridge;
let seen: ReturnType<typeof watchApp>;
beforeEach(() => {
	bridge = new FakeBridge({ "activity/undo": undone });
	seen = watchApp();
});

it("finds the newest change of an agent that can be undone, on a later page too", async () => {
	const pages = [
		{ changes: [change({ id: "c9", undoes: ["c8"] }), change({ id: "c8", undone_by: "c9" }), change({ id: "c8a", client: "Obsidian" }), change({ id: "c8b", state: "rolled back" })], before: "c8" },
		{ changes: [change({ id: "c7" })], before: null },
	];
	bridge.answers["activity"] = () => pages.shift();
	expect((await lastChange(bridge))?.id).toBe("c7");
	expect(bridge.inputs("activity")).toEqual([
		{ before: null, limit: 50 },
		{ before: "c8", limit: 50 },
	]);
	bridge.answers["activity"] = { changes: [], before: null };
	expect(await lastChange(bridge)).toBeNull();
});

it("checks, asks, and undoes only after yes", async () => {
	await askToUndo(fakeApp().app, bridge, { session: "s1" }, "Undo the session");
	expect(bridge.inputs("activity/undo")).toEqual([{ session: "s1", mode: "check" }]);
	expect(seen.modals).toHaveLength(1);
	seen.press("Undo");
	await settle();
	expect(bridge.inputs("activity/undo").at(-1)).toEqual({ session: "s1", mode: "apply" });
	expect(seen.notices).toEqual(["Undone in 1 file."]);
});

const refuse = (data: unknown): void => {
	bridge.answers["activity/undo"] = () => {
		throw new BridgeError(409, { error: "conflict", message: "'A.md' cannot be put back.", data });
	};
};

it("shows the file of a conflict and what differs there, and asks nothing", async () => {
	refuse({ path: "A.md", diff: "--- as the change left it\n+++ as it is now\n@@ -1,2 +1,2 @@\n same\n-<b>old</b>\n+new" });
	await askToUndo(fakeApp({ "A.md": "" }).app, bridge, { change: "c1" }, "Undo");
	const [modal] = seen.modals;
	expect(modal).toBeInstanceOf(ConflictModal);
	expect(modal?.contentEl.textContent).toContain("'A.md' cannot be put back. Nothing was changed.");
	expect([...(modal?.contentEl.querySelectorAll(".vault-sidecar-line") ?? [])].map(({ textContent }) => textContent)).toEqual([" same", "−<b>old</b>", "+new"]);
	expect(bridge.inputs("activity/undo")).toHaveLength(1);
	expect(seen.notices).toEqual([]);
});

it("opens the file of a conflict", async () => {
	refuse({ path: "A.md", diff: "" });
	const { app } = fakeApp({ "A.md": "" });
	const opened = vi.spyOn(app.workspace, "openLinkText").mockResolvedValue(undefined);
	await askToUndo(app, bridge, { change: "c1" }, "Undo");
	expect(seen.modals[0]?.contentEl.querySelectorAll(".vault-sidecar-hunk")).toHaveLength(0);
	seen.press("Open the file");
	await settle();
	expect(opened).toHaveBeenCalledWith("A.md", "", false, expect.anything());
});

it("says a refusal that names no file", async () => {
	refuse(null);
	await askToUndo(fakeApp().app, bridge, { change: "c1" }, "Undo");
	expect([seen.modals, seen.notices]).toEqual([[], ["Not undone: 'A.md' cannot be put back."]]);
});

it("tells any other trouble", async () => {
	bridge.answers = {};
	await undoNow(fakeApp().app, bridge, "c1");
	expect(seen.notices).toEqual(["No answer for activity/undo."]);
});

it("lists files with what comes and goes", () => {
	const files = [fileDiff({ hunks: [hunk] }), fileDiff({ op: "move", path: "B.md", to: "C.md" }), fileDiff({ op: "trash", path: "D.md" }), fileDiff({ op: "create", path: "E.md" })];
	expect([...listOf(files).querySelectorAll("li")].map(({ textContent }) => textContent)).toEqual(["A.md +2 −1", "B.md → C.md", "D.md (to the trash)", "E.md (comes back)"]);
});
