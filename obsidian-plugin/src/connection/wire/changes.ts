/** What was written, and what differs in a file. */

export interface ChangeEntry {
	op: "create" | "replace" | "move" | "trash";
	path: string;
	to: string | null;
	added: number;
	removed: number;
	hidden: boolean;
}

export interface Change {
	id: string;
	at: number;
	client: string;
	session: string;
	tool: string;
	summary: string;
	reason: string | null;
	state: string;
	undone_by: string | null;
	undoes: string[];
	entries: ChangeEntry[];
}

export interface ActivityPage {
	changes: Change[];
	before: string | null;
}

export interface Hunk {
	/** Present in proposals, where a hunk can be accepted alone. */
	id?: string;
	old_start: number;
	new_start: number;
	lines: { kind: " " | "+" | "-"; text: string }[];
}

export interface FileDiff {
	op: ChangeEntry["op"];
	path: string;
	to: string | null;
	binary: boolean;
	/** Lines left out behind the first ones of a very long diff. */
	more: number;
	hunks: Hunk[];
}

export interface ChangeDiff {
	id: string;
	files: FileDiff[];
}

export interface Undone {
	undone: string[];
	files: FileDiff[];
	change: string | null;
}

/** A map of notes on a canvas that was brought up to date, with the paths of notes. */
export interface RefreshedMap {
	path: string;
	/** `null` when it was up to date. */
	change: string | null;
	cards: number;
	lines: number;
	added: string[];
	removed: string[];
	/** No longer wanted on the map, but a person has made their cards theirs. */
	kept: string[];
}
