import { Menu } from "obsidian";
import { beforeEach, expect, it, vi } from "vitest";
import type { PartContext } from "../../src/parts";
import { LogModal } from "../../src/status/log-modal";
import { StatusBar } from "../../src/status/status-bar";
import { Unread } from "../../src/status/unread";
import { FakeBridge, fakeApp, fakeSettings, ONLINE, settle, STATUS, watchApp } from "../fakes";

let bridge: FakeBridge & { refreshStatus: () => Promise<void> };
let unread: Unread;
let settings: ReturnType<typeof fakeSettings>;
let el: HTMLElement;

beforeEach(() => {
	const { app } = fakeApp();
	bridge = Object.assign(new FakeBridge(), { refreshStatus: vi.fn().mockResolvedValue(undefined) });
	unread = new Unread();
	settings = fakeSettings(app);
	el = createDiv();
	const context = { app, plugin: { addStatusBarItem: () => el, manifest: { id: "vault-sidecar" } }, connection: bridge, daemon: {}, settings, unread };
	new StatusBar(context as unknown as PartContext).load();
});

it("says nothing but its icon while nothing is being done", () => expect([el.textContent, el.dataset["tone"]]).toEqual(["", "ok"]));

it("shows how far the index is, and no longer than that", () => {
	bridge.emit("state", { kind: "online", status: { ...STATUS, state: "indexing", done: 1, total: 4 } });
	expect([el.textContent, el.dataset["tone"]]).toEqual(["25%", "busy"]);
	bridge.emit("state", ONLINE);
	expect(el.textContent).toBe("");
});

it("shows unread changes as a number, unless a person does not want it", async () => {
	unread.set(3);
	expect(el.textContent).toBe("3");
	await settings.set("showUnread", false);
	expect(el.textContent).toBe("");
});

it("shows how many proposals wait, asked again when one comes or is decided", async () => {
	const badge = (): string => el.querySelector(".vault-sidecar-waiting")?.textContent ?? "";
	bridge.emit("proposal", { id: "p", state: "waiting" });
	expect(bridge.refreshStatus).toHaveBeenCalledOnce();
	bridge.emit("state", { kind: "online", status: { ...STATUS, proposals: 2 } });
	expect([badge(), el.textContent]).toEqual(["2", "2"]);
	await settings.set("showWaiting", false);
	expect(badge()).toBe("");
	await settings.set("showWaiting", true);
	bridge.emit("state", { kind: "not-running" });
	expect(badge()).toBe("");
});

it("hides", async () => {
	await settings.set("showStatusBar", false);
	expect(el.style.display).toBe("none");
	await settings.set("showStatusBar", true);
	expect(el.style.display).toBe("");
});

it("opens its menu by mouse and by keyboard", () => {
	const byMouse = vi.spyOn(Menu.prototype, "showAtMouseEvent");
	const byKey = vi.spyOn(Menu.prototype, "showAtPosition");
	el.click();
	el.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
	el.dispatchEvent(new KeyboardEvent("keydown", { key: "x" }));
	expect([byMouse.mock.calls.length, byKey.mock.calls.length]).toEqual([1, 1]);
});

it("asks who is connected only when somebody points at it", () => {
	expect(bridge.refreshStatus).not.toHaveBeenCalled();
	el.dispatchEvent(new MouseEvent("mouseenter"));
	expect(bridge.refreshStatus).toHaveBeenCalledOnce();
});

it("the log can be filtered", async () => {
	let filter: (text: string) => unknown = () => undefined;
	const { modals } = watchApp();
	const { SearchComponent } = await import("obsidian");
	vi.spyOn(SearchComponent.prototype, "onChange").mockImplementation(function (this: InstanceType<typeof SearchComponent>, handler) {
		filter = handler;
		return this;
	});
	bridge.answers = { log: { lines: ["INFO one", "ERROR two"] } };
	new LogModal(fakeApp().app, bridge).open();
	await settle();
	const text = (): string | undefined => modals[0]?.contentEl.querySelector("pre")?.textContent;
	expect(text()).toBe("INFO one\nERROR two");
	filter("error");
	expect(text()).toBe("ERROR two");
	filter("nothing");
	expect(text()).toBe("No lines.");
});
