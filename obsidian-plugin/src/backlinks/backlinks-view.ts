/** The pane that shows where a note is mentioned. */

import { ItemView, Keymap, Scope, type HoverParent, type HoverPopover, type Menu, type PaneType, type ViewStateResult, type WorkspaceLeaf } from "obsidian";
import type { Bridge, Query } from "../connection/bridge";
import type { MentionKind } from "../connection/protocol";
import { report } from "../report";
import type { SettingsStore } from "../settings/settings-store";
import { appearance } from "../status/appearance";
import { BACKLINKS_VIEW } from "../views";
import { Header } from "./header";
import { strokeOf } from "./keyboard";
import { linkMany, linkOne } from "./linking";
import { Loader } from "./loader";
import { filterMenu, rowMenu, sortMenu } from "./menus";
import { FIRST_STATE, KINDS, stateFrom, type PaneState, type SectionName } from "./pane-state";
import { dragRow, openRow, placeOf, previewRow } from "./row-actions";
import { rowElement, rowId, type RowLook } from "./row-element";
import { rowsOf, type FileRow, type Row } from "./rows";
import { sectionsOf } from "./sections";
import { WindowedList } from "./windowed-list";

export interface BacklinksParams {
	bridge: Bridge;
	settings: SettingsStore;
	/** Start the daemon, when a person asks for it. */
	start: () => Promise<void>;
}

/** Changes that come close together are asked for once. */
const SOON = 50;
const WHILE_INDEXING = 1000;
const HEIGHTS = { section: 28, file: 28, mention: 44, message: 32 } as const;
const ASKED_ANEW: readonly (keyof PaneState)[] = ["sort", "section", "kinds", "folder", "tag"];

export class BacklinksView extends ItemView implements HoverParent {
	hoverPopover: HoverPopover | null = null;
	override icon = "links-coming-in";
	override navigation = false;
	private state: PaneState = FIRST_STATE;
	private target: string | null = null;
	private rows: Row[] = [];
	private activeKey: string | null = null;
	private timer: number | null = null;
	/** Something changed while the pane could not be seen. */
	private isStale = false;
	private readonly loader: Loader;
	private readonly header: Header;
	private readonly bannerEl: HTMLElement;
	private readonly listEl: HTMLElement;
	private readonly list: WindowedList<Row>;

	constructor(
		leaf: WorkspaceLeaf,
		private readonly params: BacklinksParams,
	) {
		super(leaf);
		this.loader = new Loader(params.bridge, () => this.render());
		this.contentEl.addClass("vault-sidecar-backlinks", "backlink-pane");
		this.header = new Header({
			containerEl: this.contentEl,
			change: (change) => this.change(change),
			onCollapse: () => this.foldAll(),
			onSort: (event) => sortMenu(this.state, (change) => this.change(change)).showAtMouseEvent(event),
			onFilters: (event) => this.filterMenu().showAtMouseEvent(event),
			onPin: () => this.change({ pinned: this.state.pinned === null ? this.target : null }),
			onLeave: () => this.listEl.focus(),
		});
		this.bannerEl = this.contentEl.createDiv("vault-sidecar-banner");
		this.listEl = this.contentEl.createDiv({ cls: "vault-sidecar-list", attr: { tabindex: "0", role: "tree", "aria-label": "Mentions" } });
		this.list = new WindowedList<Row>({
			scrollEl: this.listEl,
			estimate: ({ kind }) => HEIGHTS[kind],
			render: (row) => rowElement(row, this.lookOf(row)),
			signature: (row) => JSON.stringify([row, this.lookOf(row)]),
		});
		this.scope = new Scope(this.app.scope);
		this.scope.register(["Mod"], "f", () => {
			this.header.showSearch();
			return false;
		});
	}

	override getViewType(): string {
		return BACKLINKS_VIEW;
	}

	override getDisplayText(): string {
		return this.state.pinned === null ? "Sidecar backlinks" : `Backlinks of ${nameOf(this.state.pinned)}`;
	}

	override getState(): Record<string, unknown> {
		return { ...super.getState(), ...this.state };
	}

	override async setState(state: unknown, result: ViewStateResult): Promise<void> {
		await super.setState(state, result);
		this.state = stateFrom(state);
		this.follow(true);
	}

	override async onOpen(): Promise<void> {
		const { bridge, settings } = this.params;
		const { workspace, vault } = this.app;
		this.registerEvent(workspace.on("file-open", () => this.follow(false)));
		this.registerEvent(workspace.on("layout-change", () => this.onResize()));
		this.registerEvent(vault.on("rename", (file, oldPath) => this.renamed(oldPath, file.path)));
		this.register(bridge.on("state", () => this.render()));
		this.register(bridge.on("reset", () => this.refreshSoon()));
		this.register(bridge.on("changed", () => this.refreshSoon()));
		this.register(settings.on(["showUnlinked", "showHidden"], () => this.render()));
		this.register(settings.on(["showUnlinked", "showCanvas"], () => this.refreshSoon()));
		this.register(() => this.forgetTimer());
		this.registerDomEvent(this.listEl, "click", (event) => this.clicked(event));
		this.registerDomEvent(this.listEl, "auxclick", (event) => {
			if (event.button === 1) this.clicked(event);
		});
		this.registerDomEvent(this.listEl, "contextmenu", (event) => this.contextMenu(event));
		this.registerDomEvent(this.listEl, "keydown", (event) => this.keyed(event));
		this.registerDomEvent(this.listEl, "mouseover", (event) => {
			const found = this.rowAt(event);
			if (found?.row.kind === "mention" || found?.row.kind === "file") previewRow(this.app, this, found.row, event, found.el);
		});
		this.registerDomEvent(this.listEl, "dragstart", (event) => {
			const row = this.rowAt(event)?.row;
			if (row?.kind === "mention" || row?.kind === "file") dragRow(this.app, row, event);
		});
		this.follow(true);
		return Promise.resolve();
	}

	override onResize(): void {
		if (this.isStale && this.isSeen()) this.refreshSoon();
		this.list.resized();
	}

	/** Show the note this pane stays with, else the active one. */
	private follow(isForced: boolean): void {
		const target = this.state.pinned ?? this.app.workspace.getActiveFile()?.path ?? null;
		if (target === this.target && !isForced) return;
		if (target !== this.target && this.target !== null) this.state = { ...this.state, section: null };
		this.target = target;
		this.askAnew();
	}

	private change(change: Partial<PaneState>): void {
		const before = this.state;
		this.state = { ...before, ...change };
		void this.app.workspace.requestSaveLayout();
		if (change.moreContext !== undefined) this.list.remeasure();
		if ("pinned" in change) this.follow(false);
		if (ASKED_ANEW.some((key) => before[key] !== this.state[key])) this.askAnew();
		else this.render();
	}

	private askAnew(): void {
		this.loader.clear();
		this.activeKey = null;
		this.listEl.scrollTop = 0;
		this.ask();
		this.render();
	}

	/** Ask for the sections that are open; a folded one costs nothing. */
	private ask(): void {
		this.forgetTimer();
		this.isStale = false;
		if (this.target === null || this.params.bridge.state.kind !== "online") return;
		const query = this.query(this.target);
		void this.loader.load("linked", query);
		const isUnlinkedWanted = this.params.settings.get("showUnlinked") && !this.state.collapsed.unlinked && this.state.section === null;
		if (isUnlinkedWanted) void this.loader.load("unlinked", query);
	}

	private query(path: string): Query {
		const { section, kinds, folder, tag, sort } = this.state;
		const isCanvasLeftOut = !this.params.settings.get("showCanvas");
		const wanted = kinds.length > 0 ? kinds : (Object.keys(KINDS) as MentionKind[]);
		const sent = isCanvasLeftOut ? wanted.filter((kind) => kind !== "canvas") : kinds;
		return { path, section, kinds: sent, folder, tag, sort };
	}

	private refreshSoon(): void {
		if (!this.isSeen()) {
			this.isStale = true;
			return;
		}
		if (this.timer !== null) return;
		const { state } = this.params.bridge;
		const isIndexing = state.kind === "online" && state.status.state === "indexing";
		this.timer = window.setTimeout(() => this.ask(), isIndexing ? WHILE_INDEXING : SOON);
	}

	private forgetTimer(): void {
		if (this.timer !== null) window.clearTimeout(this.timer);
		this.timer = null;
	}

	private isSeen(): boolean {
		return this.containerEl.isShown();
	}

	private renamed(oldPath: string, path: string): void {
		if (this.state.pinned === oldPath) this.change({ pinned: path });
		else if (this.target === oldPath) this.follow(false);
	}

	private render(): void {
		const { bridge, settings } = this.params;
		const isOnline = bridge.state.kind === "online";
		this.header.render(this.state);
		this.renderBanner();
		this.rows = this.target === null || !isOnline ? [] : rowsOf(this.loader.contents, this.state, { unlinked: settings.get("showUnlinked"), hidden: settings.get("showHidden") });
		if (this.activeKey !== null) this.listEl.setAttribute("aria-activedescendant", rowId(this.activeKey));
		else this.listEl.removeAttribute("aria-activedescendant");
		this.list.setRows(this.rows);
	}

	private lookOf(row: Row): RowLook {
		return { isActive: row.key === this.activeKey, moreContext: this.state.moreContext };
	}

	/** One line above the list when it is not there or not whole. */
	private renderBanner(): void {
		const { state } = this.params.bridge;
		const { sentence, action } = appearance(state);
		this.bannerEl.empty();
		if (state.kind === "online" && state.status.state === "ready") {
			this.bannerEl.setText(this.target === null ? "No file is open." : "");
		} else {
			this.bannerEl.setText(sentence);
			if (action === "start") this.bannerEl.createEl("button", { text: "Start" }).addEventListener("click", () => void report(this.params.start));
		}
		this.bannerEl.toggle(this.bannerEl.hasChildNodes());
	}

	private rowAt(event: Event): { row: Row; el: HTMLElement } | null {
		const el = elementAt(event)?.closest<HTMLElement>("[data-key]") ?? null;
		const row = el === null ? undefined : this.rows.find(({ key }) => key === el.dataset["key"]);
		return el === null || row === undefined ? null : { row, el };
	}

	private clicked(event: MouseEvent): void {
		const row = this.rowAt(event)?.row;
		if (row === undefined || row.kind === "message") return;
		this.activeKey = row.key;
		const isOn = (selector: string): boolean => Boolean(elementAt(event)?.closest(selector));
		if (row.kind === "section" && isOn(".vault-sidecar-link-all")) this.link(row.linkable);
		else if (row.kind === "mention" && isOn(".vault-sidecar-link")) this.linkOne(row.mention.id);
		else this.act(row, Keymap.isModEvent(event));
	}

	private act(row: Row, pane: PaneType | boolean): void {
		if (row.kind === "section") this.toggleSection(row.section);
		else if (row.kind === "file" && pane === false) this.toggleFold(row);
		else if (row.kind === "file" || row.kind === "mention") void openRow(this.app, row, pane);
		this.render();
	}

	private toggleSection(section: SectionName): void {
		const isCollapsed = !this.state.collapsed[section];
		this.change({ collapsed: { ...this.state.collapsed, [section]: isCollapsed } });
		if (!isCollapsed && this.loader.contents[section].status === "idle") this.ask();
	}

	private toggleFold({ section, path, isFolded }: FileRow): void {
		const others = this.state.folded[section].filter((one) => one !== path);
		this.change({ folded: { ...this.state.folded, [section]: isFolded ? others : [...others, path] } });
	}

	/** Fold every file, or unfold all when all are folded. */
	private foldAll(): void {
		const files = this.rows.filter((row) => row.kind === "file");
		const isFolding = files.some(({ isFolded }) => !isFolded);
		const of = (name: SectionName): string[] => (isFolding ? files.filter(({ section }) => section === name).map(({ path }) => path) : []);
		this.change({ folded: { linked: of("linked"), unlinked: of("unlinked") } });
	}

	private link(ids: readonly string[]): void {
		if (this.target !== null && ids.length > 0) void linkMany(this.app, this.params.bridge, this.target, ids);
	}

	private linkOne(id: string): void {
		if (this.target !== null) void linkOne(this.app, this.params.bridge, this.target, id);
	}

	private filterMenu(): Menu {
		const file = this.target === null ? null : this.app.vault.getFileByPath(this.target);
		return filterMenu(this.app, this.state, sectionsOf(this.app, file, this.loader.contents.linked), (change) => this.change(change));
	}

	private contextMenu(event: MouseEvent): void {
		const row = this.rowAt(event)?.row;
		if (row?.kind !== "file" && row?.kind !== "mention") return;
		event.preventDefault();
		const menu = rowMenu(this.app, row, (change) => this.change(change), (ids) => this.link(ids));
		const file = this.app.vault.getFileByPath(placeOf(row).path);
		if (file !== null) this.app.workspace.trigger("file-menu", menu, file, BACKLINKS_VIEW, this.leaf);
		menu.showAtMouseEvent(event);
	}

	private keyed(event: KeyboardEvent): void {
		const stroke = strokeOf(this.rows, this.activeKey, event.key);
		if (stroke === null) return;
		event.preventDefault();
		if ("act" in stroke) this.act(stroke.act, Keymap.isModEvent(event));
		else this.activate(stroke.activate);
	}

	private activate(row: Row): void {
		this.activeKey = row.key;
		this.render();
		this.list.reveal(this.rows.indexOf(row));
	}
}

/** The element under the pointer, which may be part of an icon and belong to another window. */
function elementAt(event: Event): Element | null {
	const target = event.target as Node | null;
	return target?.instanceOf(Element) ? target : null;
}

function nameOf(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]+$/, "");
}
