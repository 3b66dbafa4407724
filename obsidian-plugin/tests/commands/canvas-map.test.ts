import type { Command } from "obsidian";
import { beforeEach, expect, it, vi } from "vitest";
import { Commands } from "../../src/commands/commands";
import { BridgeError } from "../../src/connection/bridge";
import type { RefreshedMap } from "../../src/connection/protocol";
import type { PartContext } from "../../src/parts";
import { FakeBridge, fakeApp, settle, watchApp } from "../fakes";

const ROUTE = "canvas/refresh_map";

let bridge: FakeBridge;
let seen: ReturnType<typeof watchApp>;
let open: (path: string | null) => void;
let check: (isChecking: boolean) => boolean | void | undefined;

beforeEach(() => {
	const { app } = fakeApp({ "Maps/Physics.canvas": "{}", "A.md": "" });
	bridge = new FakeBridge();
	seen = watchApp();
	open = (path) => void vi.spyOn(app.workspace, "getActiveFile").mockReturnValue(path === null ? null : app.vault.getFileByPath(path));
	const commands = new Map<string, Command>();
	const plugin = { addCommand: (command: Command) => commands.set(command.id, command) };
	new Commands({ app, plugin, connection: bridge, daemon: {} } as unknown as PartContext).load();
	check = (isChecking) => commands.get("refresh-canvas-map")?.checkCallback?.(isChecking);
});

const refreshed = (over: Partial<RefreshedMap> = {}): RefreshedMap => ({ path: "Maps/Physics.canvas", change: "c1", cards: 3, lines: 2, added: [], removed: [], kept: [], ...over });

it.each([
	["Maps/Physics.canvas", true],
	["A.md", false],
	[null, false],
])("is there for a canvas only: %s", async (path, expected) => {
	open(path);
	expect(check(true)).toBe(expected);
	await settle();
	expect([bridge.asked, seen.notices]).toEqual([[], []]);
});

it("asks nothing about a file that is no canvas", async () => {
	open("A.md");
	expect(check(false)).toBe(false);
	await settle();
	expect(bridge.asked).toEqual([]);
});

it.each([
	[refreshed(), "The map was refreshed."],
	[refreshed({ change: null }), "The map was up to date."],
	[refreshed({ change: null, kept: ["C.md"] }), "The map was up to date.\nKept, because you changed their cards: C."],
	[
		refreshed({ added: ["People/Newton.md", "Optics.pdf"], removed: ["B.md"], kept: ["C.md"] }),
		"The map was refreshed.\nAdded: Newton, Optics.pdf.\nRemoved: B.\nKept, because you changed their cards: C.",
	],
	[refreshed({ added: ["1.md", "2.md", "3.md", "4.md", "5.md", "6.md", "7.md"] }), "The map was refreshed.\nAdded: 1, 2, 3, 4, 5 and 2 more."],
])("says what came, went and stayed: %j", async (answer, expected) => {
	open("Maps/Physics.canvas");
	bridge.answers = { [ROUTE]: answer };
	expect(check(false)).toBe(true);
	await settle();
	expect(bridge.inputs(ROUTE)).toEqual([{ path: "Maps/Physics.canvas" }]);
	expect(seen.notices).toEqual([expected]);
});

it("says why a canvas cannot be refreshed", async () => {
	open("Maps/Physics.canvas");
	bridge.answers[ROUTE] = () => {
		throw new BridgeError(400, { error: "invalid", message: "'Maps/Physics.canvas' is no map of notes.", hint: "Make one with canvas_map." });
	};
	check(false);
	await settle();
	expect(seen.notices).toEqual(["'Maps/Physics.canvas' is no map of notes. Make one with canvas_map."]);
});
