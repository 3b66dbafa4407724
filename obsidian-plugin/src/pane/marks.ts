/** Small marks that rows of all panes have. */

import { setIcon, setTooltip } from "obsidian";

export function foldIcon(el: HTMLElement, isFolded: boolean): void {
	const icon = el.createDiv("tree-item-icon collapse-icon");
	icon.toggleClass("is-collapsed", isFolded);
	setIcon(icon, "right-triangle");
}

export function hiddenMark(el: HTMLElement): void {
	const mark = el.createSpan("vault-sidecar-hidden");
	setIcon(mark, "eye-off");
	setTooltip(mark, "Hidden from agents");
}
