/** The app's API: the mock package, and above it what only a window that can be seen has. */

import * as mocks from "obsidian-test-mocks/obsidian";
import { setup } from "obsidian-test-mocks/setup";
import { call } from "./node";

setup();

// The mocks are strict proxies with types of their own; the page is checked by what it does.
/* eslint-disable @typescript-eslint/no-explicit-any */
const { Modal, ConfirmationModal, ButtonComponent, AbstractTextComponent, Menu } = mocks as any;

async function requestUrl(asked: any): Promise<any> {
	const { status, headers, text, failure } = await (globalThis as any).requestThroughNode(typeof asked === "string" ? { url: asked } : asked);
	if (failure) throw new Error(failure);
	return { status, headers, text, json: null, arrayBuffer: new ArrayBuffer(0) };
}

function setIcon(el: HTMLElement, id: string): void {
	const svg = call<string | null>("icon", id);
	// A name the app does not have would be a fault of the plugin: the scenario looks for this.
	if (svg === null) el.replaceChildren(Object.assign(document.createElement("i"), { className: "no-such-icon", textContent: id }));
	else el.innerHTML = svg;
}

function setTooltip(el: HTMLElement, text: string): void {
	el.setAttribute("aria-label", text);
}

class Notice {
	readonly noticeEl = document.createElement("div");
	constructor(message: string | DocumentFragment) {
		this.noticeEl.className = "notice";
		this.noticeEl.append(message);
		document.querySelector("#notices")?.append(this.noticeEl);
	}
	hide(): void {
		this.noticeEl.remove();
	}
	setMessage(message: string | DocumentFragment): this {
		this.noticeEl.replaceChildren(message);
		return this;
	}
}

Modal.prototype.open = function () {
	this.containerEl.className = "modal-container";
	this.modalEl.addClass("modal");
	this.titleEl.addClass("modal-title");
	this.contentEl.addClass("modal-content");
	this.modalEl.prepend(this.titleEl);
	document.body.append(this.containerEl);
	this.onOpen();
};
Modal.prototype.close = function () {
	this.containerEl.remove();
	this.onClose();
};
ConfirmationModal.prototype.addButton = function (make: (button: unknown) => void) {
	this.buttonContainerEl.addClass("modal-button-container");
	const button = ButtonComponent.create__(this.buttonContainerEl);
	button.buttonEl.addEventListener("click", () => this.close());
	make(button);
	return this;
};
ConfirmationModal.prototype.addCancelButton = function () {
	return this.addButton((button: any) => button.setButtonText("Cancel"));
};
ButtonComponent.prototype.onClick = function (handler: (event: MouseEvent) => void) {
	this.buttonEl.addEventListener("click", handler);
	return this;
};
AbstractTextComponent.prototype.onChange = function (handler: (text: string) => void) {
	this.inputEl.addEventListener("input", () => handler((this.value = this.inputEl.value)));
	return this;
};
AbstractTextComponent.prototype.setValue = function (text: string) {
	this.value = this.inputEl.value = text;
	return this;
};
const constructSetting = (mocks as any).Setting.prototype.constructor__;
(mocks as any).Setting.prototype.constructor__ = function (containerEl: HTMLElement) {
	constructSetting.call(this, containerEl);
	this.settingEl.className = "setting-item";
	this.infoEl.className = "setting-item-info";
	this.nameEl.className = "setting-item-name";
	this.descEl.className = "setting-item-description";
	this.controlEl.className = "setting-item-control";
	this.settingEl.prepend(this.infoEl);
};

function showMenu(menu: any, x: number, y: number): void {
	document.querySelectorAll(".menu").forEach((old) => old.remove());
	const el = document.body.createDiv("menu");
	for (const item of menu.items__) {
		if (!("title__" in item)) {
			el.createDiv("menu-separator");
			continue;
		}
		const row = el.createDiv({ cls: "menu-item", text: item.title__ });
		row.toggleClass("is-disabled", item.disabled__);
		row.toggleClass("mod-checked", item.checked__ === true);
		row.addEventListener("click", (event) => {
			el.remove();
			item.onClick__?.(event);
		});
	}
	el.setCssStyles({ left: `${Math.min(x, innerWidth - el.offsetWidth - 8)}px`, top: `${Math.min(y, innerHeight - el.offsetHeight - 8)}px` });
}
Menu.prototype.showAtMouseEvent = function (event: MouseEvent) {
	showMenu(this, event.clientX, event.clientY);
	return this;
};
Menu.prototype.showAtPosition = function ({ x, y }: { x: number; y: number }) {
	showMenu(this, x, y);
	return this;
};

const strokes = new WeakMap<object, { modifiers: string[]; key: string; act: (event: KeyboardEvent) => unknown }[]>();
const { register } = (mocks as any).Scope.prototype;
(mocks as any).Scope.prototype.register = function (modifiers: string[], key: string, act: (event: KeyboardEvent) => unknown) {
	strokes.set(this, [...(strokes.get(this) ?? []), { modifiers, key, act }]);
	return register.call(this, modifiers, key, act);
};

/** Give a key to the scope of the view that has the focus, as the app does. */
export function pressIn(scope: object | null, event: KeyboardEvent): void {
	const known = scope === null ? [] : (strokes.get(scope) ?? []);
	for (const { modifiers, key, act } of known) {
		if (key === event.key.toLowerCase() && modifiers.includes("Mod") === event.ctrlKey && act(event) === false) event.preventDefault();
	}
}

export const obsidian: any = { ...mocks, requestUrl, setIcon, setTooltip, Notice };
