/** Makes the element of a row. What agents and notes say goes in as text only. */

import { setIcon, setTooltip } from "obsidian";
import { pathsOf } from "../activity/row-element";
import { nameOf } from "../activity/person";
import { exactly, when } from "../activity/when";
import type { Proposal } from "../connection/protocol";
import { addCounts, countsOf, hunkElement } from "../diff/hunk-element";
import type { ActionsRow, Choice, FileRow, HunkRow, MessageRow, ProposalRow, Row, SectionRow } from "./rows";

const DAY = 86_400_000;

export function rowElement(row: Row, isActive: boolean, now: number): HTMLElement {
	const el = elementOf(row, now);
	el.dataset["key"] = row.key;
	if (row.kind === "message" || row.kind === "actions") return el;
	el.id = rowId(row.key);
	el.setAttribute("role", "treeitem");
	el.toggleClass("vault-sidecar-active", isActive);
	return el;
}

/** The id by which the tree names its active row to a screen reader. */
export function rowId(key: string): string {
	return `vault-sidecar-proposal-${key}`;
}

function elementOf(row: Row, now: number): HTMLElement {
	switch (row.kind) {
		case "section":
			return sectionElement(row);
		case "proposal":
			return proposalElement(row, now);
		case "file":
			return fileElement(row);
		case "hunk":
			return hunkRowElement(row);
		case "actions":
			return actionsElement(row);
		case "message":
			return messageElement(row);
	}
}

function sectionElement({ key, title, count, isFolded }: SectionRow): HTMLElement {
	const el = createDiv("tree-item-self vault-sidecar-section");
	el.setAttribute("aria-level", "1");
	if (key === "decided") {
		el.addClass("is-clickable");
		foldIcon(el, isFolded);
	}
	el.createDiv({ cls: "tree-item-inner", text: title });
	el.createDiv("tree-item-flair-outer").createSpan({ cls: "tree-item-flair", text: String(count) });
	return el;
}

function proposalElement({ proposal, isOpen }: ProposalRow, now: number): HTMLElement {
	const { client, summary, reason, at, state, answer } = proposal;
	const el = createDiv("tree-item-self is-clickable vault-sidecar-proposal");
	el.setAttribute("aria-level", "2");
	foldIcon(el, !isOpen);
	const inner = el.createDiv("tree-item-inner");
	inner.createDiv({ cls: "vault-sidecar-summary", text: summary });
	if (reason) inner.createDiv({ cls: "vault-sidecar-reason", text: reason });
	const foot = inner.createDiv("vault-sidecar-foot");
	foot.createSpan({ cls: "vault-sidecar-client", text: nameOf(client) });
	setTooltip(foot.createSpan({ cls: "vault-sidecar-time", text: when(at, now) }), exactly(at));
	foot.createSpan({ cls: "vault-sidecar-state", text: state === "waiting" ? expiry(proposal, now) : outcome(proposal) });
	if (answer) inner.createDiv({ cls: "vault-sidecar-reason", text: answer });
	return el;
}

function fileElement(row: FileRow): HTMLElement {
	const { file } = row;
	const el = createDiv("tree-item-self is-clickable vault-sidecar-diff-file");
	el.setAttribute("aria-level", "3");
	addBox(el, row, `Accept what is proposed for ${file.path}`);
	const path = el.createDiv({ cls: "tree-item-inner", text: `${pathsOf(file)}${file.op === "create" ? " (new)" : ""}` });
	setTooltip(path, file.op === "create" ? file.path : "Open the file");
	if (file.hidden) {
		const mark = el.createSpan("vault-sidecar-hidden");
		setIcon(mark, "eye-off");
		setTooltip(mark, "Hidden from agents");
	}
	addCounts(el, countsOf(file));
	return el;
}

function hunkRowElement(row: HunkRow): HTMLElement {
	const el = createDiv("vault-sidecar-diff");
	el.setAttribute("aria-level", "4");
	el.toggleClass("is-left-out", row.isChosen === false);
	const head = el.createDiv("vault-sidecar-hunk-head");
	addBox(head, row, "Accept this part");
	head.createSpan({ cls: "vault-sidecar-hunk-line is-clickable", text: `Line ${row.hunk.new_start}` });
	el.append(hunkElement(row.hunk));
	return el;
}

function actionsElement({ chosen, total, isStale, isBusy }: ActionsRow): HTMLElement {
	const el = createDiv("vault-sidecar-actions");
	const accept = el.createEl("button", { cls: "mod-cta vault-sidecar-accept", text: chosen === total ? "Accept" : `Accept ${chosen} of ${total} parts` });
	accept.disabled = isBusy || isStale || chosen === 0;
	el.createEl("button", { cls: "vault-sidecar-reject", text: "Reject…" }).disabled = isBusy;
	return el;
}

function messageElement({ text, isProblem }: MessageRow): HTMLElement {
	const el = createDiv({ cls: "search-empty-state", text });
	el.toggleClass("vault-sidecar-problem", isProblem);
	return el;
}

function addBox(el: HTMLElement, { isChosen }: Choice, label: string): void {
	if (isChosen === null) return;
	const box = el.createEl("input", { type: "checkbox", cls: "vault-sidecar-box", attr: { "aria-label": label } });
	box.checked = isChosen !== false;
	box.indeterminate = isChosen === "partly";
}

function foldIcon(el: HTMLElement, isFolded: boolean): void {
	el.setAttribute("aria-expanded", String(!isFolded));
	const icon = el.createDiv("tree-item-icon collapse-icon");
	icon.toggleClass("is-collapsed", isFolded);
	setIcon(icon, "right-triangle");
}

function expiry({ expires, stale }: Proposal, now: number): string {
	if (stale) return "Out of date";
	const days = Math.ceil((expires - now) / DAY);
	return days <= 1 ? "Expires within a day" : `Expires in ${days} days`;
}

function outcome({ state, partial }: Proposal): string {
	switch (state) {
		case "accepted":
			return partial ? "Accepted in part" : "Accepted";
		case "rejected":
			return "Rejected";
		case "expired":
			return "Expired";
		case "failed":
			return "Could not be written";
		case "waiting":
			return "Waiting";
	}
}
