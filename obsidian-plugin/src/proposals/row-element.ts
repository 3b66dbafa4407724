/** Makes the element of a row. What agents and notes say goes in as text only. */

import { setTooltip } from "obsidian";
import { pathsOf } from "../activity/row-element";
import { nameOf } from "../activity/person";
import { exactly, when } from "../activity/when";
import type { Proposal } from "../connection/protocol";
import { addCounts, countsOf, hunkElement } from "../diff/hunk-element";
import { foldIcon, hiddenMark } from "../pane/marks";
import type { ActionsRow, Choice, FileRow, HunkRow, MessageRow, ProposalRow, Row, SectionRow } from "./rows";

const DAY = 86_400_000;

export function rowElement(row: Row, now: number): HTMLElement {
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
	el.draggable = true;
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
	el.draggable = true;
	addBox(el, row, `Accept what is proposed for ${file.path}`);
	const path = el.createDiv({ cls: "tree-item-inner", text: `${pathsOf(file)}${file.op === "create" ? " (new)" : ""}` });
	setTooltip(path, file.op === "create" ? file.path : "Open the file");
	if (file.hidden) hiddenMark(el);
	addCounts(el, countsOf(file));
	return el;
}

function hunkRowElement(row: HunkRow): HTMLElement {
	const el = createDiv("vault-sidecar-diff");
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
