/** The one item in the status bar: state of the sidecar, and a menu when it is clicked. */

import { Component, setIcon, setTooltip } from "obsidian";
import type { PartContext } from "../parts";
import { appearance, tooltip, waiting } from "./appearance";
import { statusMenu } from "./status-menu";

export class StatusBar extends Component {
	private readonly el: HTMLElement;
	private readonly iconEl: HTMLElement;
	private readonly textEl: HTMLElement;
	private readonly unreadEl: HTMLElement;
	private readonly waitingEl: HTMLElement;

	constructor(private readonly context: PartContext) {
		super();
		this.el = context.plugin.addStatusBarItem();
		this.el.addClass("vault-sidecar-status", "mod-clickable");
		this.el.setAttribute("tabindex", "0");
		this.el.setAttribute("role", "button");
		this.iconEl = this.el.createSpan("status-bar-item-icon");
		this.textEl = this.el.createSpan("vault-sidecar-status-text");
		this.unreadEl = this.el.createSpan("vault-sidecar-unread");
		this.waitingEl = this.el.createSpan("vault-sidecar-waiting");
	}

	override onload(): void {
		const { connection, unread, settings } = this.context;
		this.registerDomEvent(this.el, "click", (event) => statusMenu(this.context).showAtMouseEvent(event));
		this.registerDomEvent(this.el, "keydown", (event) => {
			if (event.key === "Enter" || event.key === " ") this.openMenu(event);
		});
		// The agents that are connected are asked only when somebody is about to read them.
		this.registerDomEvent(this.el, "mouseenter", () => void connection.refreshStatus().catch(() => undefined));
		this.register(connection.on("state", () => this.render()));
		// How many wait is told with the status, which is asked only when that number may have changed.
		this.register(connection.on("proposal", () => void connection.refreshStatus().catch(() => undefined)));
		this.register(unread.on(() => this.render()));
		this.register(settings.on(["showStatusBar", "showUnread", "showWaiting"], () => this.render()));
		this.render();
	}

	private openMenu(event: KeyboardEvent): void {
		event.preventDefault();
		const { left, top } = this.el.getBoundingClientRect();
		statusMenu(this.context).showAtPosition({ x: left, y: top }, this.el.doc);
	}

	private render(): void {
		const { connection, unread, settings } = this.context;
		const { icon, tone, text } = appearance(connection.state);
		const count = settings.get("showUnread") ? unread.count : 0;
		if (this.iconEl.dataset["icon"] !== icon) setIcon(this.iconEl, icon);
		this.iconEl.dataset["icon"] = icon;
		this.textEl.setText(text);
		this.unreadEl.setText(count > 0 ? String(count) : "");
		this.renderWaiting(settings.get("showWaiting") ? waiting(connection.state) : 0);
		this.el.dataset["tone"] = tone;
		this.el.toggle(settings.get("showStatusBar"));
		setTooltip(this.el, tooltip(connection.state, count, Date.now()), { placement: "top" });
	}

	private renderWaiting(count: number): void {
		this.waitingEl.empty();
		if (count === 0) return;
		setIcon(this.waitingEl.createSpan("status-bar-item-icon"), "clipboard-check");
		this.waitingEl.createSpan({ text: String(count) });
	}
}
