/** The row of buttons above a list, with the search field that one of them shows. */

import { SearchComponent, setIcon, setTooltip } from "obsidian";

export class Toolbar {
	private readonly barEl: HTMLElement;

	constructor(containerEl: HTMLElement) {
		this.barEl = containerEl.createDiv("nav-header").createDiv("nav-buttons-container");
	}

	add(icon: string, label: string, onClick: (event: MouseEvent) => void): HTMLElement {
		const el = this.barEl.createEl("button", "clickable-icon nav-action-button");
		setIcon(el, icon);
		setTooltip(el, label);
		el.addEventListener("click", onClick);
		return el;
	}
}

export interface FilterFieldParams {
	containerEl: HTMLElement;
	placeholder: string;
	onText: (text: string) => void;
	onHide: () => void;
	/** The person leaves the field for the list. */
	onLeave: () => void;
}

export class FilterField {
	private readonly el: HTMLElement;
	private readonly search: SearchComponent;

	constructor({ containerEl, placeholder, onText, onHide, onLeave }: FilterFieldParams) {
		this.el = containerEl.createDiv("vault-sidecar-search");
		this.search = new SearchComponent(this.el).setPlaceholder(placeholder);
		this.search.onChange(onText);
		this.search.inputEl.addEventListener("keydown", (event) => {
			if (event.key === "Escape") onHide();
			else if (event.key === "ArrowDown" || event.key === "Enter") onLeave();
			else return;
			event.preventDefault();
			event.stopPropagation();
		});
	}

	render(isShown: boolean, text: string): void {
		this.el.toggle(isShown);
		if (this.search.getValue() !== text) this.search.setValue(text);
	}

	focus(): void {
		this.search.inputEl.focus();
		this.search.inputEl.select();
	}
}
