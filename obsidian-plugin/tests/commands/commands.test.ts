import { beforeEach, describe, expect, it, vi } from "vitest";
import { Commands } from "../../src/commands/commands";
import { Notices } from "../../src/commands/notices";
import type { PartContext } from "../../src/parts";
import { LogModal } from "../../src/status/log-modal";
import { change, FakeBridge, fakeApp, fakeSettings, fileDiff, settle, watchApp } from "../fakes";

let bridge: FakeBridge;
let seen: ReturnType<typeof watchApp>;
let settings: ReturnType<typeof fakeSettings>;
let run: (id: string) => Promise<void>;

beforeEach(() => {
	const { app } = fakeApp();
	bridge = Object.assign(new FakeBridge(), { endpoint: null });
	seen = watchApp();
	settings = fakeSettings(app);
	const callbacks = new Map<string, () => void>();
	const plugin = { addCommand: ({ id, callback }: { id: string; callback: () => void }) => callbacks.set(id, callback) };
	const context = { app, plugin, connection: bridge, daemon: {}, settings, home: "/the/home" } as unknown as PartContext;
	new Commands(context).load();
	new Notices(context).load();
	run = async (id) => {
		callbacks.get(id)?.();
		await settle();
	};
});

describe("commands", () => {
	it("undo asks about the last change", async () => {
		bridge.answers = { activity: { changes: [change()], before: null }, "activity/undo": { undone: ["c1"], files: [fileDiff()], change: null } };
		await run("undo-last-change");
		expect(seen.modals).toHaveLength(1);
		expect(bridge.inputs("activity/undo")).toEqual([{ change: "c1", mode: "check" }]);
	});

	it("undo says when there is nothing", async () => {
		bridge.answers = { activity: { changes: [], before: null } };
		await run("undo-last-change");
		expect(seen.notices).toEqual(["There is no agent change to undo."]);
	});

	it("rebuild tells the sidecar", async () => {
		bridge.answers = { rebuild: {} };
		await run("rebuild-index");
		expect(bridge.inputs("rebuild")).toHaveLength(1);
	});

	it("copies what an agent's settings want, without a token", async () => {
		const writeText = vi.fn().mockResolvedValue(undefined);
		vi.stubGlobal("navigator", { clipboard: { writeText } });
		bridge.answers = { connection: { command: "python", args: ["-I", "shim.py"], http_url: "http://127.0.0.1:1/mcp", token_file: "/t" } };
		await run("copy-connection");
		vi.unstubAllGlobals();
		expect(JSON.parse(writeText.mock.calls[0]?.[0] as string)).toEqual({ mcpServers: { "vault-sidecar": { command: "python", args: ["-I", "shim.py"] } } });
	});

	it("shows the log", async () => {
		bridge.answers = { log: { lines: ["one", "two"] } };
		await run("open-log");
		expect(seen.modals[0]).toBeInstanceOf(LogModal);
		expect(seen.modals[0]?.contentEl.querySelector("pre")?.textContent).toBe("one\ntwo");
	});

	it("shows port and token, and where they are", async () => {
		const writeText = vi.fn().mockResolvedValue(undefined);
		vi.stubGlobal("navigator", { clipboard: { writeText } });
		const text = (): string => seen.modals.at(-1)?.contentEl.textContent ?? "";
		await run("show-connection");
		expect(text()).toContain("not connected");
		expect(text()).toContain("/the/home/run/endpoint.json");
		Object.assign(bridge, { endpoint: { port: 27125, token: "secret", pid: 1, home: "/a/home", vaults: {} } });
		await run("show-connection");
		expect(text()).toContain("/a/home/run/endpoint.json");
		expect(text()).toContain("vault-sidecar plugin token");
		expect(text()).not.toContain("secret");
		seen.press("Copy port");
		seen.press("Copy token");
		await settle();
		expect(writeText.mock.calls).toEqual([["27125"], ["secret"]]);
		Object.assign(bridge, { endpoint: { port: 27125, token: "secret", pid: null, home: null, vaults: null } });
		await run("show-connection");
		vi.unstubAllGlobals();
		expect(text()).toContain("entered by hand");
	});

	it("says why something could not be done", async () => {
		await run("rebuild-index");
		expect(seen.notices).toEqual(["No answer for rebuild."]);
	});
});

describe("notices", () => {
	const activity = { id: "c", client: "claude", session: "s", summary: "wrote A.md", paths: [] };

	it("are few unless a person wants more", async () => {
		bridge.emit("activity", activity);
		bridge.emit("proposal", { id: "p", state: "accepted" });
		expect(seen.notices).toEqual([]);
		await settings.set("notifyChanges", true);
		bridge.emit("activity", activity);
		expect(seen.notices).toEqual(["claude: wrote A.md"]);
	});

	it.each([
		["waiting", "notifyProposals", /proposes a change/],
		["failed", "notifyTrouble", /could not be written/],
	] as const)("tell a proposal that is %s", async (state, setting, expected) => {
		bridge.emit("proposal", { id: "p", state });
		await settings.set(setting, false);
		bridge.emit("proposal", { id: "p", state });
		expect(seen.notices).toEqual([expect.stringMatching(expected)]);
	});
});
