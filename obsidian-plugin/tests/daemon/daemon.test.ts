import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi, type Mock } from "vitest";
import type { ConnectionState } from "../../src/connection/bridge";
import type { Connection } from "../../src/connection/connection";
import { findCommand, isExecutable, type Machine } from "../../src/daemon/command";
import { Daemon } from "../../src/daemon/daemon";
import { InstallModal } from "../../src/daemon/install-modal";
import { FakeBridge, fakeApp, fakeSettings, ONLINE, settle, watchApp } from "../fakes";

const machine = (over: Partial<Machine>, ...there: string[]): Machine => ({ platform: "linux", environment: {}, home: "/home/ada", isExecutable: (path) => there.includes(path), ...over });

it.each([
	["what was entered", "/opt/vs", machine({}, "/opt/vs", "/usr/bin/vault-sidecar"), "/opt/vs"],
	["nothing else than what was entered", "/opt/vs", machine({}, "/usr/bin/vault-sidecar"), null],
	["PATH first", "", machine({ environment: { PATH: "/a:/b" } }, "/b/vault-sidecar", "/usr/bin/vault-sidecar"), "/b/vault-sidecar"],
	["where uv and pipx install", "", machine({}, "/home/ada/.local/bin/vault-sidecar"), "/home/ada/.local/bin/vault-sidecar"],
	["Homebrew on a Mac", "", machine({ platform: "darwin" }, "/opt/homebrew/bin/vault-sidecar"), "/opt/homebrew/bin/vault-sidecar"],
	["an .exe on Windows", "", machine({ platform: "win32" }, "/home/ada/.local/bin/vault-sidecar.exe"), "/home/ada/.local/bin/vault-sidecar.exe"],
	["nothing", "", machine({}), null],
])("findCommand takes %s", (_name, entered, on, expected) => expect(findCommand(entered, on)).toBe(expected));

it("isExecutable wants a file that may be run", () => {
	const folder = mkdtempSync(join(tmpdir(), "sidecar-"));
	const file = join(folder, "program");
	writeFileSync(file, "");
	chmodSync(file, 0o600);
	const before = isExecutable(file);
	chmodSync(file, 0o700);
	expect([before, isExecutable(file), isExecutable(folder)]).toEqual([false, true, false]);
	rmSync(folder, { recursive: true });
});

describe("Daemon", () => {
	let bridge: FakeBridge & { starting: (isStarting: boolean) => void; reconnect: () => void; serveHere: Mock };
	let daemon: Daemon;
	let launched: [string, string[]][];
	let fail: (reason: string) => void;
	let settings: ReturnType<typeof fakeSettings>;
	const find = vi.fn<(entered: string) => string | null>();

	beforeEach(() => {
		vi.useFakeTimers();
		launched = [];
		find.mockReturnValue("/bin/vault-sidecar");
		bridge = Object.assign(new FakeBridge({ stop: {} }, { kind: "not-running" } as ConnectionState), {
			starting: (isStarting: boolean) => bridge.emit("state", { kind: isStarting ? "starting" : "not-running" }),
			reconnect: () => undefined,
			serveHere: vi.fn().mockResolvedValue(true),
		});
		const { app } = fakeApp();
		settings = fakeSettings(app);
		daemon = new Daemon({
			app,
			connection: bridge as unknown as Connection,
			settings,
			home: "/no/home",
			folder: "/my/vault",
			find,
			launch: (command, args, onFailure) => {
				launched.push([command, args]);
				fail = onFailure;
			},
		});
	});
	afterEach(() => {
		daemon.unload();
		vi.useRealTimers();
	});

	it("serves the vault", async () => {
		const { notices } = watchApp();
		const started = daemon.start();
		expect(bridge.state.kind).toBe("starting");
		bridge.emit("state", ONLINE);
		await started;
		expect(launched).toEqual([["/bin/vault-sidecar", ["serve", "/my/vault"]]]);
		expect(notices).toEqual([]);
	});

	it("lets a daemon that runs serve this vault too", async () => {
		bridge.state = { kind: "wrong-vault" };
		await daemon.start();
		expect(bridge.serveHere).toHaveBeenCalledExactlyOnceWith("/my/vault");
		expect(launched).toEqual([]);
	});

	it("says how to install what is not there, and starts nothing", async () => {
		const { modals } = watchApp();
		find.mockReturnValue(null);
		await daemon.start();
		expect(modals[0]).toBeInstanceOf(InstallModal);
		expect(modals[0]?.contentEl.querySelector("pre")?.textContent).toBe("uv tool install vault-sidecar");
		expect(launched).toEqual([]);
	});

	it.each([
		["ends badly", () => fail("The command ended with code 1."), "The sidecar did not start. The command ended with code 1."],
		["does not answer in ten seconds", () => vi.advanceTimersByTime(10_000), "The sidecar did not start. It wrote no log."],
	])("says so when it %s", async (_name, happen, notice) => {
		const { notices } = watchApp();
		const started = daemon.start();
		happen();
		await started;
		expect(notices).toEqual([notice]);
		expect(bridge.state.kind).toBe("not-running");
	});

	it("stops, and restarts", async () => {
		bridge.state = ONLINE;
		const restarted = daemon.restart();
		await settle();
		expect(bridge.inputs("stop")).toHaveLength(1);
		expect(launched).toEqual([]);
		bridge.emit("state", { kind: "offline" });
		await settle();
		expect(launched).toHaveLength(1);
		bridge.emit("state", ONLINE);
		await restarted;
	});

	it.each([
		[true, "not-running", 1],
		[true, "offline", 0],
		[false, "not-running", 0],
	] as const)("starts with the vault: setting %s, first state %s", async (startDaemon, kind, count) => {
		await settings.set("startDaemon", startDaemon);
		daemon.load();
		bridge.emit("state", { kind: "connecting" });
		bridge.emit("state", { kind });
		bridge.emit("state", { kind: "not-running" });
		expect(launched).toHaveLength(count);
	});
});
