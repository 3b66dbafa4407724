import { expect, it, vi } from "vitest";
import type { App as MockApp } from "obsidian-test-mocks/obsidian";
import { BridgeError } from "../../src/connection/bridge";
import type { OpenRequest, WriteRequest } from "../../src/connection/protocol";
import { RequestRunner } from "../../src/live/request-runner";
import { FakeBridge, fakeApp } from "../fakes";
import { asView, onDisk, openNote, sha256 } from "./notes";

const TEXT = "one\ntwo\nthree\n";

interface Desk {
	mock: MockApp;
	bridge: FakeBridge;
	runner: RequestRunner;
	results: () => unknown[];
	claims: () => string[];
}

function desk(files: Record<string, string> = { "A.md": TEXT }): Desk {
	const { app, mock } = fakeApp(files);
	const answers = Object.fromEntries(["r1", "r2", "r3", "r4"].flatMap((id) => [[`requests/${id}/claim`, {}], [`requests/${id}/result`, {}]]));
	const bridge = new FakeBridge(answers);
	const runner = new RequestRunner(app, bridge);
	runner.load();
	const results = (): unknown[] => bridge.asked.filter(({ route }) => route.endsWith("/result")).map(({ input }) => input);
	const claims = (): string[] => bridge.asked.filter(({ route }) => route.endsWith("/claim")).map(({ route }) => route);
	return { mock, bridge, runner, results, claims };
}

function write(over: Partial<WriteRequest> = {}): WriteRequest {
	return { id: "r1", path: "A.md", expected_sha256: sha256(TEXT), edits: [{ start: 4, end: 7, text: "2" }], new_sha256: sha256("one\n2\nthree\n"), ...over };
}

function open(over: Partial<OpenRequest> = {}): OpenRequest {
	return { id: "r1", path: "A.md", line: null, subpath: null, node_id: null, pane: "current", ...over };
}

const said = (outcome: string, over: object = {}): object => ({ client_id: "client", outcome, sha256: null, message: null, ...over });

it("changes an open note in its editor, saves it, and answers with what was saved", async () => {
	const { mock, bridge, results, claims } = desk();
	const note = await openNote(mock, "A.md");
	const transaction = vi.spyOn(note.view.editor, "transaction");
	bridge.emit("write_request", write());
	await vi.waitFor(() => expect(results()).toEqual([said("done", { sha256: sha256("one\n2\nthree\n") })]));
	expect(claims()).toEqual(["requests/r1/claim"]);
	expect(transaction).toHaveBeenCalledExactlyOnceWith({ changes: [{ from: { line: 1, ch: 0 }, to: { line: 1, ch: 3 }, text: "2" }] });
	expect(await onDisk(mock, "A.md")).toBe("one\n2\nthree\n");
	note.view.editor.undo();
	expect(note.text()).toBe(TEXT);
});

it("applies several edits whose offsets are UTF-16 units of the old text", async () => {
	const old = "😀 one\ntwo\n";
	const { mock, bridge, results } = desk({ "A.md": old });
	const note = await openNote(mock, "A.md");
	bridge.emit("write_request", write({ expected_sha256: sha256(old), edits: [{ start: 0, end: 2, text: "X" }, { start: 3, end: 6, text: "1" }, { start: 10, end: 10, text: "!" }] }));
	await vi.waitFor(() => expect(results()).toHaveLength(1));
	expect(note.text()).toBe("X 1\ntwo!\n");
});

it("touches nothing when the editor holds other text than expected", async () => {
	const { mock, bridge, results } = desk();
	const note = await openNote(mock, "A.md");
	note.type("typed");
	bridge.emit("write_request", write());
	await vi.waitFor(() => expect(results()).toEqual([said("conflict")]));
	expect(note.text()).toBe(`${TEXT}typed`);
	expect(note.save).not.toHaveBeenCalled();
	expect(await onDisk(mock, "A.md")).toBe(TEXT);
});

it("compares after the claim was answered: a keystroke meanwhile is not lost", async () => {
	const { mock, bridge, results } = desk();
	const note = await openNote(mock, "A.md");
	bridge.answers["requests/r1/claim"] = () => note.type("typed");
	bridge.emit("write_request", write());
	await vi.waitFor(() => expect(results()).toEqual([said("conflict")]));
	expect(note.text()).toBe(`${TEXT}typed`);
});

it("a second pane of the note with other text is a conflict too", async () => {
	const { mock, bridge, results } = desk();
	const [first, second] = [await openNote(mock, "A.md"), await openNote(mock, "A.md")];
	second.type("typed");
	bridge.emit("write_request", write());
	await vi.waitFor(() => expect(results()).toEqual([said("conflict")]));
	expect(first.text()).toBe(TEXT);
});

it("edits the pane that has the focus", async () => {
	const { mock, bridge, results } = desk();
	const [first, second] = [await openNote(mock, "A.md"), await openNote(mock, "A.md")];
	vi.spyOn(mock.workspace, "getActiveViewOfType").mockReturnValue(asView(second) as never);
	bridge.emit("write_request", write());
	await vi.waitFor(() => expect(results()).toHaveLength(1));
	expect([first.save.mock.calls.length, second.save.mock.calls.length]).toEqual([0, 1]);
});

it("answers with the hash of what was saved when the person typed on meanwhile", async () => {
	const { mock, bridge, results } = desk();
	const note = await openNote(mock, "A.md");
	const file = mock.vault.getFileByPath("A.md");
	note.save.mockImplementation(async () => {
		note.type("more");
		if (file) await mock.vault.modify(file, note.text());
	});
	bridge.emit("write_request", write());
	await vi.waitFor(() => expect(results()).toEqual([said("done", { sha256: sha256("one\n2\nthree\nmore") })]));
});

it("says that it failed when the app cannot save", async () => {
	const { mock, bridge, results } = desk();
	const note = await openNote(mock, "A.md");
	note.save.mockRejectedValue(new Error("disk full"));
	bridge.emit("write_request", write());
	await vi.waitFor(() => expect(results()).toEqual([said("failed", { message: "disk full" })]));
});

it.each(["not open", "in a reading view"])("declines at once, without a claim, a note that is %s", async (how) => {
	const { mock, bridge, results, claims } = desk();
	if (how === "in a reading view") await openNote(mock, "A.md", "preview");
	bridge.emit("write_request", write());
	await vi.waitFor(() => expect(results()).toEqual([said("failed")]));
	expect(claims()).toEqual([]);
});

it.each([
	["it was withdrawn", new BridgeError(410, { error: "gone" })],
	["the daemon is gone", new BridgeError(0, {})],
])("does nothing when %s", async (_name, error) => {
	const { mock, bridge, results } = desk();
	const note = await openNote(mock, "A.md");
	const asked = vi.fn(() => Promise.reject(error));
	bridge.answers["requests/r1/claim"] = asked;
	bridge.emit("write_request", write());
	await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce());
	await new Promise((resolve) => setTimeout(resolve, 0));
	expect(note.text()).toBe(TEXT);
	expect(results()).toEqual([]);
});

it.each(["../A.md", "/A.md", "a/../../A.md", "a\\..\\A.md", "%2e%2e%2fA.md", ".obsidian/app.json", "a/.hidden/b.md", "", "a//b.md", "a/"])("has nothing to do with the path %j", async (path) => {
	const { mock, bridge, results, claims } = desk();
	vi.spyOn(mock.vault, "getFileByPath").mockReturnValue(mock.vault.getFileByPath("A.md"));
	const rename = vi.spyOn(mock.vault, "rename");
	const trash = vi.spyOn(mock.fileManager, "trashFile");
	bridge.emit("write_request", write({ path }));
	bridge.emit("rename_request", { id: "r2", path, to: "B.md" });
	bridge.emit("rename_request", { id: "r3", path: "A.md", to: path });
	bridge.emit("trash_request", { id: "r4", path });
	bridge.emit("open_request", open({ path }));
	await vi.waitFor(() => expect(results()).toHaveLength(5));
	expect(claims()).toEqual([]);
	expect([rename, trash].map(({ mock: { calls } }) => calls.length)).toEqual([0, 0]);
});

it("renames a file through the vault, and makes its folder", async () => {
	const { mock, bridge, results } = desk();
	const renameFile = vi.spyOn(mock.fileManager, "renameFile");
	bridge.emit("rename_request", { id: "r1", path: "A.md", to: "New/Deep/B.md" });
	await vi.waitFor(() => expect(results()).toEqual([said("done")]));
	expect(await onDisk(mock, "New/Deep/B.md")).toBe(TEXT);
	expect(mock.vault.getFileByPath("A.md")).toBeNull();
	expect(renameFile, "it would rewrite links, or ask").not.toHaveBeenCalled();
});

it("renames into a folder that the app did not see yet", async () => {
	const { mock, bridge, results } = desk();
	vi.spyOn(mock.vault, "createFolder").mockRejectedValue(new Error("Folder already exists."));
	bridge.emit("rename_request", { id: "r1", path: "A.md", to: "There/B.md" });
	await vi.waitFor(() => expect(results()).toEqual([said("done")]));
});

it("says why the app could not rename", async () => {
	const { mock, bridge, results } = desk();
	vi.spyOn(mock.vault, "rename").mockRejectedValue(new Error("Destination file already exists!"));
	bridge.emit("rename_request", { id: "r1", path: "A.md", to: "B.md" });
	await vi.waitFor(() => expect(results()).toEqual([said("failed", { message: "Destination file already exists!" })]));
});

it("deletes to where the person's setting says", async () => {
	const { mock, bridge, results } = desk();
	const trash = vi.spyOn(mock.fileManager, "trashFile");
	bridge.emit("trash_request", { id: "r1", path: "A.md" });
	await vi.waitFor(() => expect(results()).toEqual([said("done")]));
	expect(trash).toHaveBeenCalledOnce();
	expect(mock.vault.getFileByPath("A.md")).toBeNull();
});

it.each(["rename_request", "trash_request"] as const)("leaves a note with unsaved text where it is: %s", async (type) => {
	const { mock, bridge, results } = desk();
	const note = await openNote(mock, "A.md");
	note.type("typed");
	bridge.emit(type, { id: "r1", path: "A.md", to: "B.md" });
	await vi.waitFor(() => expect(results()).toEqual([said("conflict")]));
	expect(await onDisk(mock, "A.md")).toBe(TEXT);
});

it.each([
	[open({ line: 3 }), "A.md", false],
	[open({ subpath: "#Life", pane: "tab" }), "A.md#Life", "tab"],
	[open({ subpath: "#^b1", pane: "split" }), "A.md#^b1", "split"],
	[open({ pane: "window" }), "A.md", "window"],
])("opens %j", async (request, link, pane) => {
	const { mock, bridge, results } = desk();
	const opened = vi.spyOn(mock.workspace, "openLinkText").mockResolvedValue();
	bridge.emit("open_request", request);
	await vi.waitFor(() => expect(results()).toEqual([said("done")]));
	expect(opened).toHaveBeenCalledExactlyOnceWith(link, "", pane, expect.objectContaining({ active: true }));
});

it("opens no file that is not there: the app would make it", async () => {
	const { mock, bridge, results } = desk();
	const opened = vi.spyOn(mock.workspace, "openLinkText").mockResolvedValue();
	bridge.emit("open_request", open({ path: "Nothing.md" }));
	await vi.waitFor(() => expect(results()).toEqual([said("failed")]));
	expect(opened).not.toHaveBeenCalled();
});

it("does what is asked of one file in order, and does not wait with another", async () => {
	const { mock, bridge, results } = desk({ "A.md": TEXT, "B.md": TEXT });
	const [a, b] = [await openNote(mock, "A.md"), await openNote(mock, "B.md")];
	let saved: () => void = () => undefined;
	const file = mock.vault.getFileByPath("A.md");
	a.save.mockImplementationOnce(async () => {
		await new Promise<void>((resolve) => (saved = resolve));
		if (file) await mock.vault.modify(file, a.text());
	});
	bridge.emit("write_request", write());
	bridge.emit("write_request", write({ id: "r2", expected_sha256: sha256("one\n2\nthree\n"), edits: [{ start: 0, end: 3, text: "1" }] }));
	bridge.emit("write_request", write({ id: "r3", path: "B.md" }));
	await vi.waitFor(() => expect(results()).toHaveLength(1));
	expect([a.text(), b.text()]).toEqual(["one\n2\nthree\n", "one\n2\nthree\n"]);
	saved();
	await vi.waitFor(() => expect(results()).toHaveLength(3));
	expect(a.text()).toBe("1\n2\nthree\n");
});

it("a request that failed does not keep the next from being done", async () => {
	const { mock, bridge, results } = desk();
	const note = await openNote(mock, "A.md");
	note.save.mockRejectedValueOnce(new Error("no"));
	bridge.emit("write_request", write({ edits: [] }));
	bridge.emit("write_request", write({ id: "r2" }));
	await vi.waitFor(() => expect(results()).toHaveLength(2));
	expect(results()[1]).toEqual(said("done", { sha256: sha256("one\n2\nthree\n") }));
});

it("hears nothing once it is unloaded", async () => {
	const { bridge, runner } = desk();
	runner.unload();
	bridge.emit("trash_request", { id: "r1", path: "A.md" });
	await new Promise((resolve) => setTimeout(resolve, 0));
	expect(bridge.asked).toEqual([]);
});
