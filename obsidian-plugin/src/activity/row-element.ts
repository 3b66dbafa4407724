/** Makes the element of a row. What agents and notes say goes in as text only. */

import { setIcon, setTooltip } from "obsidian";
import type { Change, ChangeEntry, FileDiff } from "../connection/protocol";
import { addCounts, countsOf, hunkElement } from "../diff/hunk-element";
import { foldIcon, hiddenMark } from "../pane/marks";
import { counted } from "../words";
import { nameOf } from "./person";
import type { ChangeRow, FileRow, HunkRow, Row, SessionRow } from "./rows";
import { exactly, when } from "./when";

export function rowElement(row: Row, now: number): HTMLElement {
	switch (row.kind) {
		case "session":
			return sessionElement(row, now);
		case "change":
			return changeElement(row, now);
		case "file":
			return fileElement(row);
		case "hunk":
			return hunkRowElement(row);
		case "message":
			return createDiv({ cls: "search-empty-state", text: row.text });
		case "more":
			return createDiv({ cls: "tree-item-self is-clickable vault-sidecar-more", text: "Show older changes" });
	}
}

function sessionElement({ client, session, from, to, count, isFolded, isUnread, canUndo }: SessionRow, now: number): HTMLElement {
	const el = createDiv("tree-item-self is-clickable vault-sidecar-section vault-sidecar-session");
	foldIcon(el, isFolded);
	const inner = el.createDiv("tree-item-inner");
	inner.createSpan({ cls: "vault-sidecar-client", text: nameOf(client) });
	inner.createSpan({ cls: "vault-sidecar-time", text: spanOf(from, to, now) });
	const flair = el.createDiv("tree-item-flair-outer");
	if (isUnread && isFolded) unreadMark(flair);
	if (canUndo) iconButton(flair, "undo-2", "Undo this session", "vault-sidecar-undo");
	flair.createSpan({ cls: "tree-item-flair", text: String(count) });
	setTooltip(inner, `Session ${session}\n${exactly(from)} to ${exactly(to)}`);
	return el;
}

function changeElement({ change, isUnread, canUndo }: ChangeRow, now: number): HTMLElement {
	const el = createDiv("tree-item-self is-clickable vault-sidecar-change");
	el.toggleClass("is-undone", change.undone_by !== null);
	el.toggleClass("is-unread", isUnread);
	el.draggable = true;
	const icon = el.createDiv("vault-sidecar-op");
	setIcon(icon, iconOf(change));
	const inner = el.createDiv("tree-item-inner");
	const head = inner.createDiv("vault-sidecar-head");
	if (isUnread) unreadMark(head);
	head.createSpan({ cls: "vault-sidecar-summary", text: change.summary });
	if (change.reason) inner.createDiv({ cls: "vault-sidecar-reason", text: change.reason });
	const foot = inner.createDiv("vault-sidecar-foot");
	const time = foot.createSpan({ cls: "vault-sidecar-time", text: when(change.at, now) });
	setTooltip(time, `${exactly(change.at)}\n${change.tool}`);
	addCounts(foot, totalOf(change.entries));
	if (change.entries.length > 1) foot.createSpan({ text: counted(change.entries.length, "file") });
	const state = stateOf(change);
	if (state !== null) foot.createSpan({ cls: "vault-sidecar-state", text: state });
	if (change.entries.some(({ hidden }) => hidden)) hiddenMark(foot);
	if (canUndo) iconButton(el, "undo-2", "Undo this change", "vault-sidecar-undo");
	return el;
}

function fileElement({ file, isHidden }: FileRow): HTMLElement {
	const el = createDiv("tree-item-self is-clickable vault-sidecar-diff-file");
	el.draggable = true;
	const path = el.createDiv({ cls: "tree-item-inner", text: pathsOf(file) });
	setTooltip(path, "Open the file");
	if (isHidden) hiddenMark(el);
	addCounts(el, countsOf(file));
	return el;
}

function hunkRowElement({ hunk }: HunkRow): HTMLElement {
	const el = createDiv("vault-sidecar-diff");
	el.createDiv({ cls: "vault-sidecar-hunk-line is-clickable", text: `Line ${hunk.new_start}` });
	el.append(hunkElement(hunk));
	return el;
}

/** What happened to a file, in words. */
export function pathsOf({ op, path, to }: Pick<FileDiff, "op" | "path" | "to">): string {
	if (op === "move" && to !== null) return `${path} → ${to}`;
	return op === "trash" ? `${path} (trash)` : path;
}

function totalOf(entries: readonly ChangeEntry[]): { added: number; removed: number } {
	return entries.reduce((sum, { added, removed }) => ({ added: sum.added + added, removed: sum.removed + removed }), { added: 0, removed: 0 });
}

function iconOf({ undoes, entries }: Change): string {
	if (undoes.length > 0) return "undo-2";
	const ops = new Set(entries.map(({ op }) => op));
	if (ops.has("move")) return "file-symlink";
	if (ops.size !== 1) return "files";
	return { create: "file-plus", replace: "file-pen", trash: "trash-2", move: "file-symlink" }[entries[0]?.op ?? "replace"];
}

function stateOf({ state, undone_by }: Change): string | null {
	if (undone_by !== null) return "Undone";
	return state === "done" ? null : state === "open" ? "Being written" : "Not written";
}

function spanOf(from: number, to: number, now: number): string {
	const [first, last] = [when(from, now), when(to, now)];
	return first === last ? last : `${first} – ${last}`;
}

function unreadMark(el: HTMLElement): void {
	const mark = el.createSpan("vault-sidecar-dot");
	setTooltip(mark, "Not seen yet");
}

function iconButton(el: HTMLElement, icon: string, label: string, cls: string): void {
	const button = el.createEl("button", `clickable-icon ${cls}`);
	setIcon(button, icon);
	setTooltip(button, label);
}
