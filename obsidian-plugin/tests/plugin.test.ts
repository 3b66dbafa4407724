import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App as ObsidianApp, PluginManifest } from "obsidian";
import { App, type Menu as MockMenu } from "obsidian-test-mocks/obsidian";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import VaultSidecarPlugin from "../src/main";
import manifest from "../manifest.json";
import { endpointByHand } from "../src/settings/by-hand";
import { SidecarSettingTab } from "../src/settings/settings-pane";
import { MACHINE_DEFAULTS, SHARED_DEFAULTS, withStored } from "../src/settings/settings";
import { SettingsStore } from "../src/settings/settings-store";
import { statusMenu } from "../src/status/status-menu";
import { Unread } from "../src/status/unread";
import type { PartContext } from "../src/parts";
import { FakeBridge, fakeApp, fakeSettings, ONLINE, settle, STATUS } from "./fakes";

/** What the mock plugin lets a test see. */
interface Inside {
	commands__: Map<string, { name: string; callback?: () => void }>;
	views__: Map<string, unknown>;
	statusBarItems__: HTMLElement[];
	settingTabs__: SidecarSettingTab[];
	cliHandlers__: Map<string, (params: object) => Promise<string>>;
}

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), "sidecar-"));
	vi.stubEnv("VAULT_SIDECAR_DEFAULT_HOME", home);
});
afterEach(() => {
	vi.unstubAllEnvs();
	rmSync(home, { recursive: true });
});

describe("the plugin", () => {
	let plugin: VaultSidecarPlugin;
	let inside: Inside;
	let app: App;
	beforeEach(async () => {
		app = App.createConfigured__({});
		app.workspace.setLayoutReady__();
		plugin = new VaultSidecarPlugin(app.asOriginalType__() as ObsidianApp, manifest as PluginManifest);
		plugin.load();
		await vi.waitFor(() => expect((plugin as unknown as Inside).settingTabs__).toHaveLength(1));
		inside = plugin as unknown as Inside;
		await settle();
	});
	afterEach(() => plugin.unload());

	it("registers its commands, named as the palette wants them", () => {
		expect([...inside.commands__.values()].map(({ name }) => name).sort()).toEqual(
			[
				"Check parity with the app",
				"Copy connection settings for an agent",
				"Open backlinks for the current note",
				"Open log",
				"Rebuild index",
				"Reconnect",
				"Refresh this canvas map",
				"Restart",
				"Show agent activity",
				"Show backlinks",
				"Show port and token of the connection",
				"Show proposals",
				"Start",
				"Stop",
				"Undo last agent change",
			].sort(),
		);
	});

	it("has one status bar item, which says that nothing runs", () => {
		expect(inside.statusBarItems__).toHaveLength(1);
		expect(inside.statusBarItems__[0]?.dataset["tone"]).toBe("muted");
	});

	it("registers the backlinks pane", () => expect(inside.views__.has("vault-sidecar-backlinks")).toBe(true));

	it("answers the app's command line, also when the sidecar is away", async () => {
		const say = (command: string): Promise<string> | undefined => inside.cliHandlers__.get(command)?.({});
		expect(await say("vault-sidecar")).toBe("The sidecar is not running.");
		expect(JSON.parse((await say("vault-sidecar:status")) ?? "")).toEqual({ kind: "not-running" });
		expect(await say("vault-sidecar:parity")).toBe("The sidecar is not connected.");
		expect(await say("vault-sidecar:reconnect")).toBe("Connecting.");
	});

	it("opens the backlinks pane when a person switches it on", () => {
		const opened = vi.spyOn(app.workspace, "ensureSideLeaf");
		plugin.onUserEnable();
		expect(opened).toHaveBeenCalledWith("vault-sidecar-backlinks", "right", expect.anything());
	});
});

describe("settings", () => {
	const make = async (stored: unknown = null): Promise<{ store: SettingsStore; app: ObsidianApp; tab: SidecarSettingTab }> => {
		const { app } = fakeApp();
		const store = fakeSettings(app, stored);
		await store.load();
		const context = { app, settings: store, connection: new FakeBridge() } as unknown as PartContext;
		return { store, app, tab: new SidecarSettingTab(app, {} as never, context) };
	};

	it("takes what fits of what was stored", () => {
		expect(withStored(SHARED_DEFAULTS, { showStatusBar: false, notifyChanges: "yes", odd: 1 })).toEqual({ ...SHARED_DEFAULTS, showStatusBar: false, odd: undefined });
	});

	it("keeps what belongs to the machine out of the file that may be synced", async () => {
		const { store, app } = await make();
		const saved = vi.spyOn((store as unknown as { plugin: { saveData: (data: object) => void } }).plugin, "saveData");
		await store.set("command", "/opt/vault-sidecar");
		await store.set("port", 5);
		expect(saved).not.toHaveBeenCalled();
		expect(app.loadLocalStorage("vault-sidecar-machine")).toEqual({ ...MACHINE_DEFAULTS, command: "/opt/vault-sidecar", port: 5 });
		await store.set("showUnread", false);
		expect(Object.keys(saved.mock.calls[0]?.[0] ?? {})).toEqual(Object.keys(SHARED_DEFAULTS));
	});

	it("tells those who asked, and only when something changed", async () => {
		const { store } = await make({ showUnread: false });
		const heard = vi.fn();
		const stop = store.on(["showUnread"], heard);
		await store.load();
		expect(heard).not.toHaveBeenCalled();
		await store.set("showUnread", true);
		await store.set("showCanvas", false);
		stop();
		await store.set("showUnread", false);
		expect(heard).toHaveBeenCalledTimes(1);
	});

	it("declares every setting once, with words to search for", async () => {
		const { tab } = await make();
		const items = tab.getSettingDefinitions().flatMap((group) => ("items" in group ? (group.items as { name: string; desc?: string; control?: { key: string } }[]) : []));
		expect(items.every(({ name, desc }) => name !== "" && desc !== "")).toBe(true);
		const keys = items.flatMap(({ control }) => (control === undefined ? [] : [control.key]));
		// The name of the secret has a component of its own.
		expect(keys.concat("tokenSecret").sort()).toEqual(Object.keys({ ...SHARED_DEFAULTS, ...MACHINE_DEFAULTS }).sort());
	});

	it("sets and gets by key, and knows no other keys", async () => {
		const { tab, store } = await make();
		await tab.setControlValue("port", 27125);
		await tab.setControlValue("odd", 1);
		expect([tab.getControlValue("port"), store.get("port"), tab.getControlValue("odd")]).toEqual([27125, 27125, undefined]);
	});

	it.each([
		["port", 1.5, "Use a whole number."],
		["port", 27125, undefined],
		["command", "/no/such/program", "There is no program at this path."],
		["command", "", undefined],
		["command", process.execPath, undefined],
	])("checks %s %j", async (key, value, expected) => {
		const { tab } = await make();
		const items = tab.getSettingDefinitions().flatMap((group) => ("items" in group ? (group.items as { control?: { key: string; validate?: (value: unknown) => unknown } }[]) : []));
		expect(items.find(({ control }) => control?.key === key)?.control?.validate?.(value)).toBe(expected);
	});

	it("connects by hand only with port and token", async () => {
		const { store, app } = await make();
		app.secretStorage.setSecret("my-token", "abc");
		await store.set("port", 27125);
		expect(endpointByHand(app, store)).toEqual([]);
		await store.set("tokenSecret", "my-token");
		expect(endpointByHand(app, store)).toEqual([{ port: 27125, token: "abc", pid: null, home: null, vaults: null }]);
		await store.set("port", 0);
		expect(endpointByHand(app, store)).toEqual([]);
	});
});

describe("the menu of the status bar", () => {
	const titles = (bridge: FakeBridge, unread = 0): string[] => {
		const counter = new Unread();
		counter.set(unread);
		const context = { app: fakeApp().app, connection: bridge, daemon: {}, plugin: { manifest }, unread: counter };
		const menu = statusMenu(context as unknown as PartContext) as unknown as MockMenu;
		return menu.menuItems__.map((item) => (item as unknown as { title__: string }).title__);
	};

	it.each([
		[ONLINE, ["Ready: 3 files known.", "Pause indexing", "Show backlinks", "Show agent activity", "Show proposals", "Open log", "Restart", "Stop", "Settings"]],
		[{ kind: "not-running" } as const, ["The sidecar is not running.", "Show backlinks", "Show agent activity", "Show proposals", "Reconnect", "Start", "Settings"]],
		[{ kind: "wrong-vault" } as const, ["The sidecar runs, but not for this vault.", "Show backlinks", "Show agent activity", "Show proposals", "Reconnect", "Serve this vault too", "Settings"]],
	])("of %j", (state, expected) => {
		expect(titles(new FakeBridge({}, state))).toEqual(expected);
	});

	it("tells what is unread and what waits", () => {
		const bridge = new FakeBridge({}, { kind: "online", status: { ...STATUS, proposals: 2 } });
		expect(titles(bridge, 3)).toEqual(expect.arrayContaining(["Show agent activity (3 unread)", "Show proposals (2 waiting)"]));
	});
});
