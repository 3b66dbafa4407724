/** The pane that shows what agents would like to change, part by part, for the person to accept or reject. */

import { ItemView, Keymap, Notice, type PaneType, type ViewStateResult, type WorkspaceLeaf } from "obsidian";
import { renderBanner } from "../activity/banner";
import { WindowedList } from "../backlinks/windowed-list";
import type { Bridge } from "../connection/bridge";
import { openPlace, type Place } from "../opening/place";
import { report } from "../report";
import { PROPOSALS_VIEW } from "../views";
import { chosenFiles, toggled, type LeftOut } from "./choice";
import { RejectModal } from "./reject-modal";
import { rowElement, rowId } from "./row-element";
import { rowsOf, type Choice, type Row } from "./rows";
import { Shelf } from "./shelf";

export interface ProposalsParams {
	bridge: Bridge;
	/** Start the daemon, when a person asks for it. */
	start: () => Promise<void>;
}

/** Changes of files that come close together are asked about once. */
const SOON = 100;
const HEIGHTS = { section: 28, proposal: 48, file: 28, message: 32, actions: 44 } as const;
const LINE_HEIGHT = 18;
const NOTHING: LeftOut = new Set();

export class ProposalsView extends ItemView {
	override icon = "clipboard-check";
	override navigation = false;
	private rows: Row[] = [];
	private activeKey: string | null = null;
	private isDecidedFolded = true;
	private timer: number | null = null;
	/** Something changed while the pane could not be seen. */
	private isStale = false;
	private readonly flipped = new Set<string>();
	private readonly leftOut = new Map<string, LeftOut>();
	private readonly shelf: Shelf;
	private readonly bannerEl: HTMLElement;
	private readonly listEl: HTMLElement;
	private readonly list: WindowedList<Row>;

	constructor(
		leaf: WorkspaceLeaf,
		private readonly params: ProposalsParams,
	) {
		super(leaf);
		this.shelf = new Shelf(params.bridge, () => this.render());
		this.contentEl.addClass("vault-sidecar-pane", "vault-sidecar-proposals");
		this.bannerEl = this.contentEl.createDiv("vault-sidecar-banner");
		this.listEl = this.contentEl.createDiv({ cls: "vault-sidecar-list", attr: { tabindex: "0", role: "tree", "aria-label": "Proposals" } });
		this.list = new WindowedList<Row>({
			scrollEl: this.listEl,
			estimate: (row) => (row.kind === "hunk" ? (row.hunk.lines.length + 1) * LINE_HEIGHT : HEIGHTS[row.kind]),
			render: (row) => rowElement(row, row.key === this.activeKey, Date.now()),
			signature: (row) => `${row.key === this.activeKey} ${JSON.stringify(row)}`,
		});
	}

	override getViewType(): string {
		return PROPOSALS_VIEW;
	}

	override getDisplayText(): string {
		return "Proposals of agents";
	}

	override getState(): Record<string, unknown> {
		return { ...super.getState(), isDecidedFolded: this.isDecidedFolded };
	}

	override async setState(state: unknown, result: ViewStateResult): Promise<void> {
		await super.setState(state, result);
		this.isDecidedFolded = (state as { isDecidedFolded?: unknown } | null)?.isDecidedFolded !== false;
		this.render();
	}

	override async onOpen(): Promise<void> {
		const { bridge } = this.params;
		this.register(bridge.on("state", ({ kind }) => (kind === "online" ? this.refreshSoon() : this.render())));
		this.register(bridge.on("reset", () => this.refreshSoon()));
		this.register(bridge.on("proposal", () => this.refreshNow()));
		// What is proposed is planned anew when the files it is about change.
		this.register(bridge.on("changed", () => this.refreshSoon()));
		this.register(() => this.forgetTimer());
		this.registerEvent(this.app.workspace.on("layout-change", () => this.onResize()));
		this.registerDomEvent(this.listEl, "click", (event) => this.clicked(event));
		this.registerDomEvent(this.listEl, "keydown", (event) => this.keyed(event));
		await this.shelf.refresh();
		this.render();
	}

	override onResize(): void {
		if (this.isStale) this.refreshNow();
		this.list.resized();
	}

	private refreshSoon(): void {
		this.timer ??= window.setTimeout(() => this.refreshNow(), SOON);
	}

	private refreshNow(): void {
		this.forgetTimer();
		this.isStale = !this.containerEl.isShown();
		if (!this.isStale) void this.shelf.refresh();
	}

	private forgetTimer(): void {
		if (this.timer !== null) window.clearTimeout(this.timer);
		this.timer = null;
	}

	private leftOutOf(id: string): LeftOut {
		return this.leftOut.get(id) ?? NOTHING;
	}

	private render(): void {
		const { proposals, failure, busy } = this.shelf;
		renderBanner(this.bannerEl, this.params.bridge.state, this.params.start);
		this.rows = rowsOf({ proposals, failure, flipped: this.flipped, isDecidedFolded: this.isDecidedFolded, leftOut: (id) => this.leftOutOf(id), busy });
		if (this.activeKey !== null) this.listEl.setAttribute("aria-activedescendant", rowId(this.activeKey));
		else this.listEl.removeAttribute("aria-activedescendant");
		this.list.setRows(this.rows);
	}

	private clicked(event: MouseEvent): void {
		const target = event.target as Node | null;
		const at = target?.instanceOf(Element) ? target : null;
		const key = at?.closest<HTMLElement>("[data-key]")?.dataset["key"];
		const row = this.rows.find((one) => one.key === key);
		if (row === undefined || row.kind === "message") return;
		const isOn = (selector: string): boolean => Boolean(at?.closest(selector));
		if (row.kind === "actions") {
			if (isOn(".vault-sidecar-accept")) this.accept(row.proposal);
			else if (isOn(".vault-sidecar-reject")) this.askToReject(row.proposal);
			return;
		}
		// In a diff a click is for selecting text.
		if (row.kind === "hunk" && !isOn(".vault-sidecar-hunk-head")) return;
		this.activeKey = row.key;
		if (isOn(".vault-sidecar-box") && (row.kind === "file" || row.kind === "hunk")) this.toggle(row);
		else this.act(row, Keymap.isModEvent(event));
		this.render();
	}

	private act(row: Row, pane: PaneType | boolean): void {
		if (row.kind === "section") this.toggleDecided(row.key);
		else if (row.kind === "proposal") this.flip(row.key);
		else if (row.kind === "file") void this.openFile({ path: row.file.path }, pane);
		else if (row.kind === "hunk") void this.openFile({ path: row.path, line: row.hunk.old_start }, pane);
		this.render();
	}

	private toggleDecided(key: string): void {
		if (key !== "decided") return;
		this.isDecidedFolded = !this.isDecidedFolded;
		void this.app.workspace.requestSaveLayout();
	}

	private flip(id: string): void {
		if (!this.flipped.delete(id)) this.flipped.add(id);
	}

	private toggle({ proposal, parts, isChosen }: Choice): void {
		if (isChosen !== null) this.leftOut.set(proposal, toggled(this.leftOutOf(proposal), parts));
	}

	private accept(id: string): void {
		const proposal = this.shelf.find(id);
		if (proposal !== undefined) void report(() => this.shelf.accept(id, chosenFiles(proposal, this.leftOutOf(id))));
	}

	private askToReject(id: string): void {
		const proposal = this.shelf.find(id);
		if (proposal === undefined) return;
		new RejectModal(this.app, proposal.summary, (reason) => void report(() => this.shelf.reject(id, reason))).open();
	}

	private async openFile(place: Place, pane: PaneType | boolean): Promise<void> {
		// The app would make a new note of a path that is not there.
		if (this.app.vault.getFileByPath(place.path) === null) new Notice(`${place.path} is not there.`);
		else await report(() => openPlace(this.app, place, pane));
	}

	/** Up, down, Enter, and Space for the box of a file or part. Buttons that have the focus take keys for themselves. */
	private keyed(event: KeyboardEvent): void {
		if (event.target !== this.listEl) return;
		const actors = this.rows.filter((row) => row.kind !== "message" && row.kind !== "actions");
		const at = actors.findIndex(({ key }) => key === this.activeKey);
		const row = actors[at];
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		const next = step === undefined ? undefined : actors[Math.min(Math.max(at + step, 0), actors.length - 1)];
		if (next !== undefined) this.activate(next);
		else if (event.key === "Enter" && row !== undefined) this.act(row, Keymap.isModEvent(event));
		else if (event.key === " " && (row?.kind === "file" || row?.kind === "hunk")) this.toggle(row);
		else return;
		event.preventDefault();
		this.render();
	}

	private activate(row: Row): void {
		this.activeKey = row.key;
		this.render();
		this.list.reveal(this.rows.indexOf(row));
	}
}
