/** The pane that shows where a note is mentioned. */

import { ItemView, Scope, type HoverParent, type HoverPopover, type Menu, type PaneType, type ViewStateResult, type WorkspaceLeaf } from "obsidian";
import type { Bridge, Query } from "../connection/bridge";
import type { MentionKind } from "../connection/protocol";
import { openIfThere } from "../opening/place";
import { RowTree } from "../pane/row-tree";
import { report } from "../report";
import type { SettingsStore } from "../settings/settings-store";
import { appearance } from "../status/appearance";
import { BACKLINKS_VIEW } from "../views";
import { Header } from "./header";
import { linkMany, linkOne } from "./linking";
import { Loader } from "./loader";
import { filterMenu, rowMenu, sortMenu } from "./menus";
import { FIRST_STATE, KINDS, stateFrom, type PaneState, type SectionName } from "./pane-state";
import { rowElement } from "./row-element";
import { placeOf } from "./row-place";
import { nodeOf, rowsOf, type FileRow, type Row } from "./rows";
import { sectionsOf } from "./sections";

export interface BacklinksParams {
	bridge: Bridge;
	settings: SettingsStore;
	/** Start the daemon, when a person asks for it. */
	start: () => Promise<void>;
}

/** Changes that come close together are asked for once. */
const SOON = 20;
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
	private timer: number | null = null;
	/** Something changed while the pane could not be seen. */
	private isStale = false;
	private readonly loader: Loader;
	private readonly header: Header;
	private readonly bannerEl: HTMLElement;
	private readonly tree: RowTree<Row>;

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
			onLeave: () => this.tree.focus(),
		});
		this.bannerEl = this.contentEl.createDiv("vault-sidecar-banner");
		this.tree = this.addChild(
			new RowTree<Row>({
				app: this.app,
				containerEl: this.contentEl,
				label: "Mentions",
				source: BACKLINKS_VIEW,
				hoverParent: this,
				estimate: ({ kind }) => HEIGHTS[kind],
				render: (row) => rowElement(row, this.state.moreContext),
				signature: (row) => JSON.stringify([row, this.state.moreContext]),
				nodeOf,
				placeOf: (row) => (row.kind === "file" || row.kind === "mention" ? placeOf(row) : null),
				act: (row, pane) => this.act(row, pane),
				press: (row, isOn) => this.press(row, isOn),
				menuOf: (row) => this.rowMenu(row),
			}),
		);
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
		this.follow(true);
		return Promise.resolve();
	}

	override onResize(): void {
		if (this.isStale && this.isSeen()) this.refreshSoon();
		this.tree.resized();
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
		if (change.moreContext !== undefined) this.tree.remeasure();
		if ("pinned" in change) this.follow(false);
		if (ASKED_ANEW.some((key) => before[key] !== this.state[key])) this.askAnew();
		else this.render();
	}

	private askAnew(): void {
		this.loader.clear();
		this.tree.restart();
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
		this.tree.setRows(this.rows);
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

	private press(row: Row, isOn: (selector: string) => boolean): boolean {
		const isAll = row.kind === "section" && isOn(".vault-sidecar-link-all");
		const isOne = row.kind === "mention" && isOn(".vault-sidecar-link");
		if (isAll) this.link(row.linkable);
		if (isOne) this.linkOne(row.mention.id);
		return isAll || isOne;
	}

	private act(row: Row, pane: PaneType | boolean): void {
		if (row.kind === "section") this.toggleSection(row.section);
		else if (row.kind === "file" && pane === false) this.toggleFold(row);
		else if (row.kind === "file" || row.kind === "mention") void openIfThere(this.app, placeOf(row), pane);
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

	private rowMenu(row: Row): Menu | null {
		if (row.kind !== "file" && row.kind !== "mention") return null;
		const menu = rowMenu(this.app, row, (change) => this.change(change), (ids) => this.link(ids));
		const file = this.app.vault.getFileByPath(placeOf(row).path);
		if (file !== null) this.app.workspace.trigger("file-menu", menu, file, BACKLINKS_VIEW, this.leaf);
		return menu;
	}
}

function nameOf(path: string): string {
	return path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]+$/, "");
}
