/** Turns proposals into the flat list of rows that is shown. */

import type { Hunk, Proposal, ProposedFile } from "../connection/protocol";
import { remarkOn } from "../diff/hunk-element";
import type { TreeNode } from "../pane/tree-keys";
import { canChooseHunks, countOf, partKey, partsOf, type LeftOut } from "./choice";

export interface SectionRow {
	kind: "section";
	key: "waiting" | "decided";
	title: string;
	count: number;
	isFolded: boolean;
}

export interface ProposalRow {
	kind: "proposal";
	key: string;
	proposal: Proposal;
	isOpen: boolean;
}

/** A file or a hunk that may be chosen has a box to tick. */
export interface Choice {
	proposal: string;
	parts: readonly string[];
	/** `null`: it cannot be chosen by itself. */
	isChosen: boolean | "partly" | null;
}

export interface FileRow extends Choice {
	kind: "file";
	key: string;
	file: ProposedFile;
}

export interface HunkRow extends Choice {
	kind: "hunk";
	key: string;
	path: string;
	hunk: Hunk;
}

/** The buttons below a proposal. */
export interface ActionsRow {
	kind: "actions";
	key: string;
	proposal: string;
	chosen: number;
	total: number;
	isStale: boolean;
	isBusy: boolean;
}

export interface MessageRow {
	kind: "message";
	key: string;
	text: string;
	isProblem: boolean;
}

export type Row = SectionRow | ProposalRow | FileRow | HunkRow | ActionsRow | MessageRow;

export interface Shown {
	/** `null` before they were asked for. */
	proposals: readonly Proposal[] | null;
	failure: string | null;
	/** Ids whose folding was changed by the person: a waiting proposal is open at first, a decided one is not. */
	flipped: ReadonlySet<string>;
	isDecidedFolded: boolean;
	leftOut: (id: string) => LeftOut;
	/** Ids about which the daemon is being asked. */
	busy: ReadonlySet<string>;
}

export function rowsOf({ proposals, failure, flipped, isDecidedFolded, leftOut, busy }: Shown): Row[] {
	if (failure !== null && proposals === null) return [message("failed", failure, true)];
	if (proposals === null) return [];
	const waiting = proposals.filter(({ state }) => state === "waiting");
	const decided = proposals.filter(({ state }) => state !== "waiting");
	const rowsFor = (proposal: Proposal): Row[] => {
		const isOpen = (proposal.state === "waiting") !== flipped.has(proposal.id);
		const head: ProposalRow = { kind: "proposal", key: proposal.id, proposal, isOpen };
		return isOpen ? [head, ...bodyOf(proposal, leftOut(proposal.id), busy.has(proposal.id))] : [head];
	};
	const none = message("none", "No change waits for you. Agents ask first where an access rule says so.", false);
	return [
		{ kind: "section", key: "waiting", title: "Waiting for you", count: waiting.length, isFolded: false },
		...(waiting.length > 0 ? waiting.flatMap(rowsFor) : [none]),
		...(decided.length > 0 ? [{ kind: "section", key: "decided", title: "Decided", count: decided.length, isFolded: isDecidedFolded } as const] : []),
		...(isDecidedFolded ? [] : decided.flatMap(rowsFor)),
	];
}

function bodyOf(proposal: Proposal, leftOut: LeftOut, isBusy: boolean): Row[] {
	const { id, files, state, stale, problem } = proposal;
	const isWaiting = state === "waiting";
	const canChoose = isWaiting && !stale && !proposal.whole && files.flatMap(partsOf).length > 1;
	const rows = files.flatMap((file, index): Row[] => {
		const key = `${id}/${index}`;
		const choiceOf = (parts: readonly string[], isPossible: boolean): Choice => ({ proposal: id, parts, isChosen: isPossible ? chosenOf(parts, leftOut) : null });
		const hunks = file.hunks.map((hunk, at): HunkRow => {
			const choice = choiceOf([partKey(file.path, hunk.id ?? "")], canChoose && canChooseHunks(file));
			return { kind: "hunk", key: `${key}/${at}`, path: file.path, hunk, ...choice };
		});
		const remark = remarkOn(file);
		return [{ kind: "file", key, file, ...choiceOf(partsOf(file), canChoose) }, ...hunks, ...(remark === null ? [] : [message(`${key}/remark`, remark, false)])];
	});
	if (!isWaiting) return rows;
	const problems = stale ? [message(`${id}/problem`, problem ?? "The file was changed since: this cannot be accepted as it is.", true)] : [];
	return [...rows, ...problems, { kind: "actions", key: `${id}/actions`, proposal: id, ...countOf(proposal, leftOut), isStale: stale, isBusy }];
}

function chosenOf(parts: readonly string[], leftOut: LeftOut): boolean | "partly" {
	const chosen = parts.filter((part) => !leftOut.has(part)).length;
	return chosen === parts.length ? true : chosen === 0 ? false : "partly";
}

function message(key: string, text: string, isProblem: boolean): MessageRow {
	return { kind: "message", key: `!${key}`, text, isProblem };
}

/** A row's place in the tree; what waits for the person cannot be folded as a whole. */
export function nodeOf(row: Row): TreeNode | null {
	switch (row.kind) {
		case "section":
			return { level: 1, isOpen: row.key === "decided" ? !row.isFolded : null };
		case "proposal":
			return { level: 2, isOpen: row.isOpen };
		case "file":
			return { level: 3, isOpen: null };
		case "hunk":
			return { level: 4, isOpen: null };
		case "actions":
		case "message":
			return null;
	}
}
