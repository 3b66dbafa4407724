/** The buttons above the list, the search field, and the filters that are on. */

import { setIcon, setTooltip } from "obsidian";
import { FilterField, Toolbar } from "../pane/toolbar";
import type { Change } from "./menus";
import { FIRST_STATE, KINDS, type PaneState } from "./pane-state";

export interface HeaderParams {
	containerEl: HTMLElement;
	change: Change;
	onCollapse: () => void;
	onSort: (event: MouseEvent) => void;
	onFilters: (event: MouseEvent) => void;
	onPin: () => void;
	/** The person leaves the search field for the list. */
	onLeave: () => void;
}

export class Header {
	private readonly contextEl: HTMLElement;
	private readonly filtersEl: HTMLElement;
	private readonly searchButtonEl: HTMLElement;
	private readonly pinEl: HTMLElement;
	private readonly search: FilterField;
	private readonly chipsEl: HTMLElement;
	private state: PaneState = FIRST_STATE;

	constructor(private readonly params: HeaderParams) {
		const { containerEl, change, onCollapse, onSort, onFilters, onPin, onLeave } = params;
		const bar = new Toolbar(containerEl);
		bar.add("chevrons-down-up", "Collapse results", onCollapse);
		this.contextEl = bar.add("move-vertical", "Show more context", () => change({ moreContext: !this.state.moreContext }));
		bar.add("arrow-up-narrow-wide", "Change sort order", onSort);
		this.filtersEl = bar.add("list-filter", "Choose what to show", onFilters);
		this.searchButtonEl = bar.add("search", "Show search filter", () => (this.state.isFilterShown ? this.hideSearch() : this.showSearch()));
		this.pinEl = bar.add("pin", "Stay with this note", onPin);
		this.search = new FilterField({
			containerEl,
			placeholder: "Filter mentions",
			onText: (filter) => change({ filter }),
			onHide: () => this.hideSearch(),
			onLeave,
		});
		this.chipsEl = containerEl.createDiv("vault-sidecar-chips");
	}

	render(state: PaneState): void {
		this.state = state;
		this.contextEl.toggleClass("is-active", state.moreContext);
		this.filtersEl.toggleClass("is-active", chipsOf(state).length > 0);
		this.searchButtonEl.toggleClass("is-active", state.isFilterShown);
		this.pinEl.toggleClass("is-active", state.pinned !== null);
		this.search.render(state.isFilterShown, state.filter);
		this.chipsEl.empty();
		for (const { text, off } of chipsOf(state)) this.addChip(text, off);
	}

	showSearch(): void {
		this.params.change({ isFilterShown: true });
		this.search.focus();
	}

	private hideSearch(): void {
		this.params.change({ isFilterShown: false });
		this.params.onLeave();
	}

	private addChip(text: string, off: Partial<PaneState>): void {
		const chip = this.chipsEl.createEl("button", { cls: "vault-sidecar-chip", text });
		setIcon(chip.createSpan(), "x");
		setTooltip(chip, "Show all again");
		chip.addEventListener("click", () => this.params.change(off));
	}
}

/** The filters that are on, each with what switches it off. */
export function chipsOf({ section, kinds, folder, tag }: PaneState): { text: string; off: Partial<PaneState> }[] {
	const chips: { text: string; off: Partial<PaneState> }[] = [];
	if (section !== null) chips.push({ text: `#${section}`, off: { section: null } });
	if (kinds.length > 0) chips.push({ text: kinds.map((kind) => KINDS[kind]).join(", "), off: { kinds: [] } });
	if (folder !== null) chips.push({ text: `In ${folder}`, off: { folder: null } });
	if (tag !== null) chips.push({ text: tag, off: { tag: null } });
	return chips;
}
