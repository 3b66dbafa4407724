import { Setting } from "obsidian";
import { beforeEach, expect, it, vi } from "vitest";
import type { PartContext } from "../../src/parts";
import { McpignoreModal } from "../../src/settings/mcpignore-modal";
import { openSettings } from "../../src/settings/open-settings";
import { SidecarSettingTab } from "../../src/settings/settings-pane";
import { FakeBridge, fakeApp, fakeSettings, settle, watchApp } from "../fakes";

const { app, mock } = fakeApp();
let bridge: FakeBridge;
let tab: SidecarSettingTab;
let seen: ReturnType<typeof watchApp>;
const start = vi.fn().mockResolvedValue(undefined);

beforeEach(() => {
	seen = watchApp();
	bridge = new FakeBridge({ access: { deny: ["Secret/"], read_only: [], ask: ["Projects/**"], mcpignore: ["*.private.md"] } });
	tab = new SidecarSettingTab(app, {} as never, { app, connection: bridge, settings: fakeSettings(app), daemon: { start } } as unknown as PartContext);
});

interface Row {
	name: string;
	render?: (setting: Setting) => (() => void) | void;
	action?: () => void;
}

function row(name: string): Row {
	const rows = tab.getSettingDefinitions().flatMap((group) => ("items" in group ? (group.items as Row[]) : []));
	return rows.find((one) => one.name === name) ?? expect.fail(`no row ${name}`);
}

it("shows the state as it changes, until it is closed", () => {
	const setting = new Setting(createDiv());
	const close = row("State").render?.(setting);
	expect(setting.descEl.textContent).toBe("Ready: 3 files known.");
	bridge.emit("state", { kind: "offline" });
	expect(setting.descEl.textContent).toBe("The sidecar does not answer.");
	close?.();
	bridge.emit("state", { kind: "starting" });
	expect(setting.descEl.textContent).toBe("The sidecar does not answer.");
	seen.press("Start");
	expect(start).toHaveBeenCalledOnce();
});

it("shows the rules, asked only when they are looked at", async () => {
	expect(bridge.asked).toEqual([]);
	const setting = new Setting(createDiv());
	row("Rules").render?.(setting);
	await settle();
	expect([...setting.descEl.querySelectorAll("div")].map(({ textContent }) => textContent)).toEqual([
		"Hidden: Secret/, *.private.md",
		"Read only: nothing",
		"Only after approval: Projects/**",
		"Notes with the property private are hidden too.",
	]);
});

it("says that the rules need the sidecar", () => {
	bridge.state = { kind: "not-running" };
	const setting = new Setting(createDiv());
	row("Rules").render?.(setting);
	expect(setting.descEl.textContent).toBe("Shown when the sidecar is connected.");
	expect(bridge.asked).toEqual([]);
});

it("edits the ignore file, which may not be there yet", async () => {
	row("Ignore file").action?.();
	await settle();
	const area = seen.modals[0]?.contentEl.querySelector("textarea");
	expect(seen.modals[0]).toBeInstanceOf(McpignoreModal);
	expect(area?.value).toBe("");
	await mock.vault.adapter.write(".mcpignore", "old/\n");
	row("Ignore file").action?.();
	await settle();
	expect(seen.modals[1]?.contentEl.querySelector("textarea")?.value).toBe("old/\n");
	seen.press("Save");
	await settle();
	expect(await mock.vault.adapter.read(".mcpignore")).toBe("old/\n");
});

it("never writes over an ignore file that could not be read", async () => {
	const write = vi.spyOn(mock.vault.adapter, "write");
	vi.spyOn(mock.vault.adapter, "exists").mockRejectedValue(new Error("No right to read."));
	row("Ignore file").action?.();
	await settle();
	seen.press("Save");
	await settle();
	expect(write).not.toHaveBeenCalled();
	expect(seen.notices).toEqual(["No right to read."]);
});

it("opens the settings where the app lets it, and bears where it does not", () => {
	const setting = { open: vi.fn(), openTabById: vi.fn() };
	openSettings({ setting } as never, "vault-sidecar");
	expect(setting.openTabById).toHaveBeenCalledWith("vault-sidecar");
	expect(() => openSettings({} as never, "vault-sidecar")).not.toThrow();
});
