/** A long list of rows as a tree: one row is active, and mouse and keys open, fold, preview and drag. */

import { Component, Keymap, type App, type HoverParent, type Menu, type PaneType } from "obsidian";
import { dragPlace, previewPlace, type Place } from "../opening/place";
import { strokeOf, type TreeNode } from "./tree-keys";
import { WindowedList } from "./windowed-list";

export interface RowTreeParams<R extends { key: string }> {
	app: App;
	containerEl: HTMLElement;
	/** What a screen reader calls the list. */
	label: string;
	/** The type of the view, by which the app knows where a preview is asked for. */
	source: string;
	hoverParent: HoverParent;
	/** Height in pixels to reckon with until the row was seen. */
	estimate: (row: R) => number;
	render: (row: R) => HTMLElement;
	/** What the element shows: while it is the same, the element stays. */
	signature: (row: R) => string;
	/** `null` for a row that only says something. */
	nodeOf: (row: R) => TreeNode | null;
	/** Where a row leads in the vault. */
	placeOf: (row: R) => Place | null;
	/** Do what a click on the row does. */
	act: (row: R, pane: PaneType | boolean) => void;
	/** A click on a part of a row; `true` when nothing else shall come of it. */
	press: (row: R, isOn: (selector: string) => boolean) => boolean;
	/** Tick or untick; `false` when the row has no box. */
	tick?: (row: R) => boolean;
	menuOf?: (row: R) => Menu | null;
}

export class RowTree<R extends { key: string }> extends Component {
	private rows: readonly R[] = [];
	private activeKey: string | null = null;
	private readonly el: HTMLElement;
	private readonly list: WindowedList<R>;

	constructor(private readonly params: RowTreeParams<R>) {
		super();
		const { containerEl, label, estimate, signature } = params;
		this.el = containerEl.createDiv({ cls: "vault-sidecar-list", attr: { tabindex: "0", role: "tree", "aria-label": label } });
		this.list = new WindowedList<R>({
			scrollEl: this.el,
			estimate,
			render: (row) => this.element(row),
			signature: (row) => `${row.key === this.activeKey} ${signature(row)}`,
		});
	}

	override onload(): void {
		this.registerDomEvent(this.el, "click", (event) => this.clicked(event));
		this.registerDomEvent(this.el, "auxclick", (event) => {
			if (event.button === 1) this.clicked(event);
		});
		this.registerDomEvent(this.el, "contextmenu", (event) => this.menuAsked(event));
		this.registerDomEvent(this.el, "keydown", (event) => this.keyed(event));
		this.registerDomEvent(this.el, "mouseover", (event) => this.hovered(event));
		this.registerDomEvent(this.el, "dragstart", (event) => this.dragged(event));
	}

	setRows(rows: readonly R[]): void {
		this.rows = rows;
		if (this.activeKey !== null) this.el.setAttribute("aria-activedescendant", this.idOf(this.activeKey));
		else this.el.removeAttribute("aria-activedescendant");
		this.list.setRows(rows);
	}

	/** Begin at the top, with no row active: the list is about something else now. */
	restart(): void {
		this.activeKey = null;
		this.el.scrollTop = 0;
	}

	focus(): void {
		this.el.focus();
	}

	/** Call when rows show more or less than before. */
	remeasure(): void {
		this.list.remeasure();
	}

	/** Call when the pane has another size or became visible. */
	resized(): void {
		this.list.resized();
	}

	private element(row: R): HTMLElement {
		const el = this.params.render(row);
		el.dataset["key"] = row.key;
		const node = this.params.nodeOf(row);
		if (node === null) return el;
		el.id = this.idOf(row.key);
		el.setAttribute("role", "treeitem");
		el.setAttribute("aria-level", String(node.level));
		if (node.isOpen !== null) el.setAttribute("aria-expanded", String(node.isOpen));
		el.toggleClass("vault-sidecar-active", row.key === this.activeKey);
		return el;
	}

	/** The id by which the tree names its active row to a screen reader. */
	private idOf(key: string): string {
		return `${this.params.source}-${key}`;
	}

	/** The target may be part of an icon and belong to another window. */
	private rowAt(event: Event): { row: R; el: HTMLElement; isOn: (selector: string) => boolean } | null {
		const target = event.target as Node | null;
		const at = target?.instanceOf(Element) ? target : null;
		const el = at?.closest<HTMLElement>("[data-key]");
		const row = this.rows.find(({ key }) => key === el?.dataset["key"]);
		return el && row !== undefined ? { row, el, isOn: (selector) => Boolean(at?.closest(selector)) } : null;
	}

	private clicked(event: MouseEvent): void {
		const found = this.rowAt(event);
		if (found === null || this.params.press(found.row, found.isOn) || this.params.nodeOf(found.row) === null) return;
		this.activeKey = found.row.key;
		this.params.act(found.row, Keymap.isModEvent(event));
		this.setRows(this.rows);
	}

	private menuAsked(event: MouseEvent): void {
		const row = this.rowAt(event)?.row;
		const menu = row === undefined ? null : (this.params.menuOf?.(row) ?? null);
		if (menu === null) return;
		event.preventDefault();
		menu.showAtMouseEvent(event);
	}

	private hovered(event: MouseEvent): void {
		const { app, source, hoverParent, placeOf } = this.params;
		const found = this.rowAt(event);
		const place = found === null ? null : placeOf(found.row);
		if (found !== null && place !== null) previewPlace(app, place, { event, source, hoverParent, targetEl: found.el });
	}

	private dragged(event: DragEvent): void {
		const found = this.rowAt(event);
		// A selection of text is dragged as text.
		if (found === null || !found.el.draggable) return;
		const place = this.params.placeOf(found.row);
		if (place === null || !dragPlace(this.params.app, place, event)) event.preventDefault();
	}

	private keyed(event: KeyboardEvent): void {
		// A button that has the focus takes the key for itself.
		if (event.target !== this.el) return;
		const { nodeOf, act, tick } = this.params;
		const active = this.rows.find(({ key }) => key === this.activeKey);
		if (event.key === " " && active !== undefined && tick?.(active)) {
			event.preventDefault();
			return;
		}
		const stroke = strokeOf(this.rows, nodeOf, this.activeKey, event.key);
		if (stroke === null) return;
		event.preventDefault();
		if ("act" in stroke) {
			act(stroke.act, event.key === "Enter" && Keymap.isModEvent(event));
			return;
		}
		this.activeKey = stroke.activate.key;
		this.setRows(this.rows);
		this.list.reveal(this.rows.indexOf(stroke.activate));
	}
}
