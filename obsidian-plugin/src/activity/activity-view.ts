/** The pane that shows what agents did to the vault, and takes it back. */

import { ItemView, Menu, Scope, type HoverParent, type HoverPopover, type PaneType, type ViewStateResult, type WorkspaceLeaf } from "obsidian";
import type { Bridge } from "../connection/bridge";
import { openIfThere, type Place } from "../opening/place";
import { renderBanner } from "../pane/banner";
import { RowTree } from "../pane/row-tree";
import { FilterField, Toolbar } from "../pane/toolbar";
import { report } from "../report";
import type { Unread } from "../status/unread";
import { askToUndo } from "../undo/undo";
import { ACTIVITY_VIEW } from "../views";
import { Diffs } from "./diffs";
import { Feed } from "./feed";
import { FIRST_STATE, stateFrom, type PaneState } from "./pane-state";
import { isPerson, nameOf } from "./person";
import { rowElement } from "./row-element";
import { nodeOf, rowsOf, type ChangeRow, type Row, type SessionRow } from "./rows";
import type { Seen } from "./seen";

export interface ActivityParams {
	bridge: Bridge;
	seen: Seen;
	unread: Unread;
	/** Start the daemon, when a person asks for it. */
	start: () => Promise<void>;
}

const HEIGHTS = { session: 28, change: 48, file: 28, message: 32, more: 32 } as const;
const LINE_HEIGHT = 18;

export class ActivityView extends ItemView implements HoverParent {
	hoverPopover: HoverPopover | null = null;
	override icon = "history";
	override navigation = false;
	private state: PaneState = FIRST_STATE;
	private rows: Row[] = [];
	private unreadAfter: string | null = null;
	private wasShown = false;
	/** Something changed while the pane could not be seen. */
	private isStale = false;
	private readonly open = new Set<string>();
	private readonly feed: Feed;
	private readonly diffs: Diffs;
	private readonly filter: FilterField;
	private readonly agentEl: HTMLElement;
	private readonly filterEl: HTMLElement;
	private readonly bannerEl: HTMLElement;
	private readonly tree: RowTree<Row>;

	constructor(
		leaf: WorkspaceLeaf,
		private readonly params: ActivityParams,
	) {
		super(leaf);
		const { contentEl } = this;
		this.feed = new Feed(params.bridge, () => this.render());
		this.diffs = new Diffs(params.bridge, () => this.render());
		contentEl.addClass("vault-sidecar-pane", "vault-sidecar-activity");
		const bar = new Toolbar(contentEl);
		bar.add("chevrons-down-up", "Collapse results", () => this.foldAll());
		this.agentEl = bar.add("bot", "Choose an agent", (event) => this.agentMenu().showAtMouseEvent(event));
		this.filterEl = bar.add("search", "Filter by path", () => this.showFilter(!this.state.isFilterShown));
		bar.add("check-check", "Mark all as seen", () => this.markSeen());
		this.filter = new FilterField({
			containerEl: contentEl,
			placeholder: "Filter by path",
			onText: (filter) => this.change({ filter }),
			onHide: () => this.showFilter(false),
			onLeave: () => this.tree.focus(),
		});
		this.bannerEl = contentEl.createDiv("vault-sidecar-banner");
		this.tree = this.addChild(
			new RowTree<Row>({
				app: this.app,
				containerEl: contentEl,
				label: "Changes",
				source: ACTIVITY_VIEW,
				hoverParent: this,
				estimate: (row) => (row.kind === "hunk" ? (row.hunk.lines.length + 1) * LINE_HEIGHT : HEIGHTS[row.kind]),
				render: (row) => rowElement(row, Date.now()),
				// A recorded hunk never changes, and may be long.
				signature: (row) => (row.kind === "hunk" ? row.key : JSON.stringify(row)),
				nodeOf,
				placeOf,
				act: (row, pane) => this.act(row, pane),
				press: (row, isOn) => this.press(row, isOn),
				menuOf: (row) => this.rowMenu(row),
			}),
		);
		this.scope = new Scope(this.app.scope);
		this.scope.register(["Mod"], "f", () => {
			this.showFilter(true);
			return false;
		});
	}

	override getViewType(): string {
		return ACTIVITY_VIEW;
	}

	override getDisplayText(): string {
		return "Agent activity";
	}

	override getState(): Record<string, unknown> {
		return { ...super.getState(), ...this.state };
	}

	override async setState(state: unknown, result: ViewStateResult): Promise<void> {
		const { client } = this.state;
		await super.setState(state, result);
		this.state = stateFrom(state);
		if (this.state.client !== client) await this.feed.choose(this.state.client);
		this.render();
	}

	override async onOpen(): Promise<void> {
		const { bridge, unread } = this.params;
		this.register(bridge.on("state", () => this.renderBanner()));
		this.register(bridge.on("reset", () => this.refresh()));
		this.register(bridge.on("activity", () => this.refresh()));
		this.register(unread.on(() => this.look(false)));
		this.registerEvent(this.app.workspace.on("layout-change", () => this.onResize()));
		this.registerDomEvent(this.containerEl.win, "focus", () => this.look(this.params.unread.count > 0));
		this.onResize();
		await this.feed.choose(this.state.client);
	}

	override onResize(): void {
		const isShown = this.containerEl.isShown();
		if (isShown && !this.wasShown) this.look(true);
		this.wasShown = isShown;
		if (isShown && this.isStale) this.refresh();
		this.tree.resized();
	}

	/** While the person looks, what there is counts as seen; `isFresh`: marks of an earlier look go. */
	private look(isFresh: boolean): void {
		if (!this.containerEl.isShown()) return;
		if (isFresh) this.unreadAfter = this.params.seen.last;
		if (this.containerEl.doc.hasFocus() && this.params.unread.count > 0) this.params.seen.mark();
		if (isFresh) this.render();
	}

	private markSeen(): void {
		this.params.seen.mark();
		this.unreadAfter = this.params.seen.last;
		this.render();
	}

	private refresh(): void {
		this.isStale = !this.containerEl.isShown();
		if (!this.isStale) void this.feed.refresh();
	}

	private change(change: Partial<PaneState>): void {
		const { client } = this.state;
		this.state = { ...this.state, ...change };
		void this.app.workspace.requestSaveLayout();
		if (this.state.client !== client) void this.feed.choose(this.state.client);
		else this.render();
	}

	private showFilter(isFilterShown: boolean): void {
		this.change({ isFilterShown });
		if (isFilterShown) this.filter.focus();
		else this.tree.focus();
	}

	private render(): void {
		const { status, changes, hasMore } = this.feed;
		const { state, open, unreadAfter } = this;
		this.filter.render(state.isFilterShown, state.filter);
		this.filterEl.toggleClass("is-active", state.isFilterShown);
		this.agentEl.toggleClass("is-active", state.client !== null);
		this.renderBanner();
		this.rows = rowsOf({ status, changes, hasMore, state, open, unreadAfter, diffOf: (id) => this.diffs.get(id) });
		this.tree.setRows(this.rows);
	}

	private renderBanner(): void {
		renderBanner(this.bannerEl, this.params.bridge.state, this.params.start);
	}

	private press(row: Row, isOn: (selector: string) => boolean): boolean {
		// In a diff a click is for selecting text.
		if (row.kind === "hunk") return !isOn(".vault-sidecar-hunk-line");
		const isUndo = isOn(".vault-sidecar-undo");
		if (isUndo) void this.undo(row);
		return isUndo;
	}

	private act(row: Row, pane: PaneType | boolean): void {
		const place = placeOf(row);
		if (row.kind === "session") this.toggleSession(row);
		else if (row.kind === "change" && pane === false) this.toggleChange(row);
		else if (row.kind === "more") void this.feed.more();
		else if (place !== null) void openIfThere(this.app, place, pane);
	}

	private toggleSession({ key, isFolded }: SessionRow): void {
		const others = this.state.folded.filter((one) => one !== key);
		this.change({ folded: isFolded ? others : [...others, key] });
	}

	private toggleChange({ change: { id }, isOpen }: ChangeRow): void {
		if (isOpen) {
			this.open.delete(id);
		} else {
			this.open.add(id);
			this.diffs.keep(this.open);
			void this.diffs.load(id);
		}
		this.render();
	}

	/** Fold every diff; when none is open, every session; when all are folded, unfold them. */
	private foldAll(): void {
		const sessions = this.rows.filter((row) => row.kind === "session");
		const isAnyOpen = sessions.some(({ isFolded }) => !isFolded);
		if (this.open.size > 0) {
			this.open.clear();
			this.render();
		} else {
			this.change({ folded: isAnyOpen ? sessions.map(({ key }) => key) : [] });
		}
	}

	private async undo(row: Row): Promise<void> {
		const { bridge } = this.params;
		if (row.kind === "change") await report(() => askToUndo(this.app, bridge, { change: row.change.id }, `Undo: ${row.change.summary}`));
		if (row.kind === "session") await report(() => askToUndo(this.app, bridge, { session: row.session }, `Undo all that ${nameOf(row.client)} did in this session`));
	}

	private agentMenu(): Menu {
		const { state } = this.params.bridge;
		const connected = state.kind === "online" ? state.status.clients.map(({ name }) => name) : [];
		const chosen = this.state.client === null ? [] : [this.state.client];
		const names = new Set([...chosen, ...this.feed.changes.map(({ client }) => client), ...connected]);
		const menu = new Menu();
		const add = (title: string, client: string | null): void => {
			menu.addItem((item) => item.setTitle(title).setChecked(this.state.client === client).onClick(() => this.change({ client })));
		};
		add("All", null);
		[...names].sort().forEach((name) => add(nameOf(name), name));
		return menu;
	}

	private rowMenu(row: Row): Menu | null {
		if (row.kind !== "session" && row.kind !== "change") return null;
		const menu = new Menu();
		const client = row.kind === "session" ? row.client : row.change.client;
		if (row.canUndo) menu.addItem((item) => item.setTitle(row.kind === "session" ? "Undo this session" : "Undo this change").setIcon("undo-2").onClick(() => void this.undo(row)));
		if (row.kind === "change") {
			for (const { path, to } of row.change.entries) {
				const file = this.app.vault.getFileByPath(to ?? path);
				if (file !== null) menu.addItem((item) => item.setTitle(`Open ${file.name}`).setIcon("file").onClick(() => void openIfThere(this.app, { path: file.path }, false)));
			}
		}
		menu.addItem((item) => item.setTitle(isPerson(client) ? "Show only yours" : `Show only ${nameOf(client)}`).setIcon("bot").onClick(() => this.change({ client })));
		return menu;
	}
}

/** Where a row leads in the vault. */
function placeOf(row: Row): Place | null {
	if (row.kind === "hunk") return { path: row.path, line: row.hunk.new_start };
	if (row.kind === "file") return { path: row.file.to ?? row.file.path };
	const entry = row.kind === "change" ? row.change.entries[0] : undefined;
	return entry === undefined ? null : { path: entry.to ?? entry.path };
}
