/** The pane that shows what agents would like to change, part by part, for the person to accept or reject. */

import { ItemView, type HoverParent, type HoverPopover, type PaneType, type ViewStateResult, type WorkspaceLeaf } from "obsidian";
import type { Bridge } from "../connection/bridge";
import { openIfThere, type Place } from "../opening/place";
import { renderBanner } from "../pane/banner";
import { RowTree } from "../pane/row-tree";
import { report } from "../report";
import { PROPOSALS_VIEW } from "../views";
import { chosenFiles, toggled, type LeftOut } from "./choice";
import { RejectModal } from "./reject-modal";
import { rowElement } from "./row-element";
import { nodeOf, rowsOf, type ActionsRow, type Row } from "./rows";
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

export class ProposalsView extends ItemView implements HoverParent {
	hoverPopover: HoverPopover | null = null;
	override icon = "clipboard-check";
	override navigation = false;
	private isDecidedFolded = true;
	private timer: number | null = null;
	/** Something changed while the pane could not be seen. */
	private isStale = false;
	private readonly flipped = new Set<string>();
	private readonly leftOut = new Map<string, LeftOut>();
	private readonly shelf: Shelf;
	private readonly bannerEl: HTMLElement;
	private readonly tree: RowTree<Row>;

	constructor(
		leaf: WorkspaceLeaf,
		private readonly params: ProposalsParams,
	) {
		super(leaf);
		this.shelf = new Shelf(params.bridge, () => this.render());
		this.contentEl.addClass("vault-sidecar-pane", "vault-sidecar-proposals");
		this.bannerEl = this.contentEl.createDiv("vault-sidecar-banner");
		this.tree = this.addChild(
			new RowTree<Row>({
				app: this.app,
				containerEl: this.contentEl,
				label: "Proposals",
				source: PROPOSALS_VIEW,
				hoverParent: this,
				estimate: (row) => (row.kind === "hunk" ? (row.hunk.lines.length + 1) * LINE_HEIGHT : HEIGHTS[row.kind]),
				render: (row) => rowElement(row, Date.now()),
				signature: (row) => JSON.stringify(row),
				nodeOf,
				placeOf,
				act: (row, pane) => this.act(row, pane),
				press: (row, isOn) => this.press(row, isOn),
				tick: (row) => this.tick(row),
			}),
		);
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
		await this.shelf.refresh();
		this.render();
	}

	override onResize(): void {
		if (this.isStale) this.refreshNow();
		this.tree.resized();
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
		this.tree.setRows(rowsOf({ proposals, failure, flipped: this.flipped, isDecidedFolded: this.isDecidedFolded, leftOut: (id) => this.leftOutOf(id), busy }));
	}

	private press(row: Row, isOn: (selector: string) => boolean): boolean {
		if (row.kind === "actions") return this.decide(row, isOn);
		if (isOn(".vault-sidecar-box")) return this.tick(row);
		// In a diff a click is for selecting text.
		return row.kind === "hunk" && !isOn(".vault-sidecar-hunk-head");
	}

	private decide({ proposal }: ActionsRow, isOn: (selector: string) => boolean): boolean {
		if (isOn(".vault-sidecar-accept")) this.accept(proposal);
		else if (isOn(".vault-sidecar-reject")) this.askToReject(proposal);
		return true;
	}

	private act(row: Row, pane: PaneType | boolean): void {
		const place = placeOf(row);
		if (row.kind === "section") this.toggleDecided(row.key);
		else if (row.kind === "proposal" && pane === false) this.flip(row.key);
		else if (place !== null) void openIfThere(this.app, place, pane);
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

	private tick(row: Row): boolean {
		if (row.kind !== "file" && row.kind !== "hunk") return false;
		const { proposal, parts, isChosen } = row;
		if (isChosen !== null) this.leftOut.set(proposal, toggled(this.leftOutOf(proposal), parts));
		this.render();
		return true;
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
}

/** Where a row leads in the vault. */
function placeOf(row: Row): Place | null {
	if (row.kind === "file") return { path: row.file.path };
	if (row.kind === "hunk") return { path: row.path, line: row.hunk.old_start };
	const file = row.kind === "proposal" ? row.proposal.files[0] : undefined;
	return file === undefined ? null : { path: file.path };
}
