import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openPlace } from "../../src/opening/place";
import { fakeApp } from "../fakes";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it.each([
	[{ path: "A.md", line: 4 }, "A.md", { line: 3 }],
	[{ path: "A.md", line: null }, "A.md", {}],
	[{ path: "A.md", line: 0 }, "A.md", {}],
	[{ path: "A.md", line: 4, subpath: "#Life" }, "A.md#Life", {}],
])("opens %j", async (place, link, eState) => {
	const { app, mock } = fakeApp();
	const open = vi.spyOn(mock.workspace, "openLinkText").mockResolvedValue();
	await openPlace(app, place, "tab");
	expect(open).toHaveBeenCalledWith(link, "", "tab", { active: true, eState });
});

const leafOf = (file: string, canvas: unknown): unknown => ({ getViewState: () => ({ type: "canvas", state: { file } }), view: { canvas } });

it("jumps to a card, which may appear a moment later", async () => {
	const { app, mock } = fakeApp();
	vi.spyOn(mock.workspace, "openLinkText").mockResolvedValue();
	const nodes = new Map<string, unknown>();
	const canvas = { nodes, selectOnly: vi.fn(), zoomToSelection: vi.fn() };
	vi.spyOn(mock.workspace, "getMostRecentLeaf").mockReturnValue(leafOf("B.canvas", canvas) as never);
	const opened = openPlace(app, { path: "B.canvas", node_id: "n1" });
	await vi.advanceTimersByTimeAsync(150);
	expect(canvas.selectOnly).not.toHaveBeenCalled();
	nodes.set("n1", "card");
	await vi.advanceTimersByTimeAsync(100);
	await opened;
	expect(canvas.selectOnly).toHaveBeenCalledExactlyOnceWith("card");
	expect(canvas.zoomToSelection).toHaveBeenCalledOnce();
});

it.each([
	["another file is shown", leafOf("Other.canvas", {})],
	["the app's canvas is not as we know it", leafOf("B.canvas", undefined)],
	["nothing is shown", null],
])("gives up when %s", async (_name, leaf) => {
	const { app, mock } = fakeApp();
	vi.spyOn(mock.workspace, "openLinkText").mockResolvedValue();
	vi.spyOn(mock.workspace, "getMostRecentLeaf").mockReturnValue(leaf as never);
	const opened = openPlace(app, { path: "B.canvas", node_id: "n1" });
	await vi.advanceTimersByTimeAsync(1000);
	await expect(opened).resolves.toBeUndefined();
});
