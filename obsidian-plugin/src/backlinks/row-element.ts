/** Makes the element of a row, in the classes of the app's own panes so that themes fit. Text of notes goes in as text only. */

import { setTooltip } from "obsidian";
import type { Mention } from "../connection/protocol";
import { foldIcon, hiddenMark } from "../pane/marks";
import { excerptOf } from "./excerpt";
import type { FileRow, MentionRow, MessageRow, Row, SectionRow } from "./rows";

export function rowElement(row: Row, moreContext: boolean): HTMLElement {
	switch (row.kind) {
		case "section":
			return sectionElement(row);
		case "file":
			return fileElement(row);
		case "mention":
			return mentionElement(row, moreContext);
		case "message":
			return messageElement(row);
	}
}

function sectionElement({ title, count, isCollapsed, linkable }: SectionRow): HTMLElement {
	const el = createDiv("tree-item-self is-clickable vault-sidecar-section");
	foldIcon(el, isCollapsed);
	el.createDiv({ cls: "tree-item-inner", text: title });
	const flair = el.createDiv("tree-item-flair-outer");
	if (linkable.length > 0 && !isCollapsed) flair.createEl("button", { cls: "vault-sidecar-link-all", text: "Link all" });
	if (count !== null) flair.createSpan({ cls: "tree-item-flair", text: String(count) });
	return el;
}

function fileElement({ path, title, count, isFolded, isHidden }: FileRow): HTMLElement {
	const el = createDiv("tree-item-self search-result-file-title is-clickable vault-sidecar-file");
	foldIcon(el, isFolded);
	el.draggable = true;
	el.createDiv({ cls: "tree-item-inner", text: title });
	const flair = el.createDiv("tree-item-flair-outer");
	if (isHidden) hiddenMark(flair);
	flair.createSpan({ cls: "tree-item-flair", text: String(count) });
	setTooltip(el, path);
	return el;
}

function mentionElement({ section, mention }: MentionRow, moreContext: boolean): HTMLElement {
	const el = createDiv("search-result-file-match tappable vault-sidecar-mention");
	el.draggable = true;
	el.toggleClass("mod-more-context", moreContext);
	el.toggleClass("mod-unlinked", section === "unlinked");
	const origin = originOf(mention);
	if (origin !== null) el.createSpan({ cls: "vault-sidecar-origin", text: origin });
	const { before, match, after } = excerptOf(mention, moreContext);
	el.appendText(before);
	el.createSpan({ cls: "search-result-file-matched-text", text: match });
	el.appendText(after);
	for (const text of [mention.subpath, mention.alias === null ? null : `as ${mention.alias}`]) {
		if (text) el.createSpan({ cls: "vault-sidecar-target", text });
	}
	if (section === "unlinked") el.createEl("button", { cls: "search-result-hover-button mod-top vault-sidecar-link", text: "Link" });
	return el;
}

function messageElement({ text }: MessageRow): HTMLElement {
	return createDiv({ cls: "search-empty-state", text });
}

/** Where in its file a mention is, when that is not plain text. */
function originOf({ kind, property, node_text, heading }: Mention): string | null {
	if (kind === "property") return `${property ?? "property"}:`;
	if (kind === "canvas") return node_text === null || node_text === "" ? "Card" : `Card: ${node_text.split("\n", 1)[0] ?? ""}`;
	if (kind === "base") return property === null ? "Base" : `${property}:`;
	return heading === null ? null : `${heading} ›`;
}
