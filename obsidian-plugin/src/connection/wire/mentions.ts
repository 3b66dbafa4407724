/** Where a note is mentioned. */

export type MentionKind = "body" | "embed" | "property" | "canvas" | "base";

export interface Mention {
	id: string;
	path: string;
	title: string;
	kind: MentionKind;
	line: number;
	column: number;
	context: string;
	/** Offsets of the mention in `context`. */
	start: number;
	end: number;
	heading: string | null;
	property: string | null;
	node_id: string | null;
	node_text: string | null;
	subpath: string | null;
	as_written: string;
	alias: string | null;
	hidden: boolean;
	modified: number;
	created: number;
}

export interface MentionPage {
	target: string;
	generation: number;
	total: number;
	files: number;
	mentions: Mention[];
	cursor: string | null;
}

export interface LinkedMentions {
	change: string | null;
	linked: number;
	files: string[];
}
