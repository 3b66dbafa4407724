/** Turns changes and the pane's state into the flat list of rows that is shown. */

import type { Change, FileDiff, Hunk } from "../connection/protocol";
import { remarkOn } from "../diff/hunk-element";
import type { TreeNode } from "../pane/tree-keys";
import type { DiffContent } from "./diffs";
import type { FeedStatus } from "./feed";
import type { PaneState } from "./pane-state";
import { isPerson } from "./person";

/** All that one client did in one session. */
export interface SessionRow {
	kind: "session";
	key: string;
	client: string;
	session: string;
	/** Times of its oldest and newest change shown. */
	from: number;
	to: number;
	count: number;
	isFolded: boolean;
	isUnread: boolean;
	canUndo: boolean;
}

export interface ChangeRow {
	kind: "change";
	key: string;
	change: Change;
	isOpen: boolean;
	isUnread: boolean;
	canUndo: boolean;
}

export interface FileRow {
	kind: "file";
	key: string;
	file: FileDiff;
	isHidden: boolean;
}

export interface HunkRow {
	kind: "hunk";
	key: string;
	path: string;
	hunk: Hunk;
}

export interface MessageRow {
	kind: "message";
	key: string;
	text: string;
}

export interface MoreRow {
	kind: "more";
	key: string;
}

export type Row = SessionRow | ChangeRow | FileRow | HunkRow | MessageRow | MoreRow;

export interface Shown {
	status: FeedStatus;
	changes: readonly Change[];
	hasMore: boolean;
	state: PaneState;
	/** Ids of changes that are unfolded. */
	open: ReadonlySet<string>;
	diffOf: (id: string) => DiffContent;
	/** Changes of agents after this one are marked as unread; `null`: none are. */
	unreadAfter: string | null;
}

export function rowsOf(shown: Shown): Row[] {
	const { status, changes, hasMore, state } = shown;
	const more: Row[] = hasMore ? [{ kind: "more", key: "more" }] : [];
	if (status.kind === "failed" && changes.length === 0) return [message("failed", status.message)];
	if (status.kind === "idle") return [];
	if (status.kind === "loading") return [message("loading", "Looking for changes…")];
	const fitting = changes.filter(filterFor(state.isFilterShown ? state.filter : ""));
	if (fitting.length === 0) return [message("empty", changes.length > 0 ? "No change fits the filter." : "No agent has changed anything yet."), ...more];
	return [...[...bySession(fitting)].flatMap(([key, group]) => sessionRows(key, group, shown)), ...more];
}

/** Changes by client and session, the session of the newest change first. */
function bySession(changes: readonly Change[]): Map<string, Change[]> {
	const groups = new Map<string, Change[]>();
	for (const change of changes) {
		const key = JSON.stringify([change.client, change.session]);
		const group = groups.get(key);
		if (group) group.push(change);
		else groups.set(key, [change]);
	}
	return groups;
}

function sessionRows(key: string, changes: readonly Change[], shown: Shown): Row[] {
	const [newest] = changes;
	if (newest === undefined) return [];
	const rows = changes.map((change): ChangeRow => {
		const isUnread = shown.unreadAfter !== null && change.id > shown.unreadAfter && !isPerson(change.client);
		const canUndo = change.state === "done" && change.undone_by === null;
		return { kind: "change", key: change.id, change, isOpen: shown.open.has(change.id), isUnread, canUndo };
	});
	const isFolded = shown.state.folded.includes(key);
	const header: SessionRow = {
		kind: "session",
		key,
		client: newest.client,
		session: newest.session,
		from: changes.at(-1)?.at ?? newest.at,
		to: newest.at,
		count: changes.length,
		isFolded,
		isUnread: rows.some(({ isUnread }) => isUnread),
		// All that the person ever did here counts as one session, which nobody would want to undo as a whole.
		canUndo: !isPerson(newest.client) && rows.some(({ canUndo, change }) => canUndo && change.undoes.length === 0),
	};
	return isFolded ? [header] : [header, ...rows.flatMap((row) => (row.isOpen ? [row, ...diffRows(row.change, shown.diffOf(row.change.id))] : [row]))];
}

function diffRows({ id, entries }: Change, diff: DiffContent): Row[] {
	if (diff.kind === "loading") return [message(`${id}/loading`, "Loading the diff…")];
	if (diff.kind === "failed") return [message(`${id}/failed`, diff.message)];
	return diff.files.flatMap((file, index): Row[] => {
		const key = `${id}/${index}`;
		const remark = remarkOn(file);
		const isHidden = entries.some(({ path, hidden }) => hidden && path === file.path);
		const hunks = file.hunks.map((hunk, at): HunkRow => ({ kind: "hunk", key: `${key}/${at}`, path: file.to ?? file.path, hunk }));
		return [{ kind: "file", key, file, isHidden }, ...hunks, ...(remark === null ? [] : [message(`${key}/remark`, remark)])];
	});
}

function message(key: string, text: string): MessageRow {
	return { kind: "message", key: `!${key}`, text };
}

/** Changes of a path that holds the text, or of one whose old or new name does. */
function filterFor(text: string): (change: Change) => boolean {
	const wanted = text.trim().toLowerCase();
	if (wanted === "") return () => true;
	return ({ entries }) => entries.some(({ path, to }) => path.toLowerCase().includes(wanted) || (to ?? "").toLowerCase().includes(wanted));
}

/** A row's place in the tree. */
export function nodeOf(row: Row): TreeNode | null {
	switch (row.kind) {
		case "session":
			return { level: 1, isOpen: !row.isFolded };
		case "change":
			return { level: 2, isOpen: row.isOpen };
		case "file":
			return { level: 3, isOpen: null };
		case "hunk":
			return { level: 4, isOpen: null };
		case "more":
			return { level: 1, isOpen: null };
		case "message":
			return null;
	}
}
