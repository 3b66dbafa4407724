/** The values that travel between the plugin and the daemon, version 1. Times are milliseconds since the epoch, offsets UTF-16 code units. */

export const PROTOCOL_VERSION = 1;

export interface Hello {
	protocol: { min: number; max: number };
	version: string;
	instance_id: string;
	proof: string;
	vault: "served" | "unknown";
	capabilities: string[];
}

export type IndexState = "starting" | "indexing" | "paused" | "ready" | "error";

export interface Progress {
	state: IndexState;
	done: number;
	total: number;
}

export interface ConnectedAgent {
	name: string;
	session: string;
	since: number;
}

export interface Problem {
	path: string;
	message: string;
}

export interface Status extends Progress {
	project: string;
	project_id: string;
	files: Record<string, number>;
	generation: number;
	watching: boolean;
	last_event: number | null;
	last_reconcile: number | null;
	clients: ConnectedAgent[];
	held: number;
	fault: string | null;
	problems: Problem[];
	version: string;
	instance_id: string;
	/** The id of the newest recorded change. */
	change_cursor: string | null;
}

export interface Changed {
	paths: string[];
	/** True when more changed than `paths` names. */
	all: boolean;
	generation: number;
}

export interface Activity {
	id: string;
	client: string;
	session: string;
	summary: string;
	paths: string[];
}

export interface TextEdit {
	start: number;
	end: number;
	text: string;
}

export interface WriteRequest {
	id: string;
	path: string;
	expected_sha256: string;
	edits: TextEdit[];
	new_sha256: string;
}

export interface RenameRequest {
	id: string;
	path: string;
	to: string;
}

export interface TrashRequest {
	id: string;
	path: string;
}

export interface OpenRequest {
	id: string;
	path: string;
	line: number | null;
	subpath: string | null;
	node_id: string | null;
	pane: "current" | "tab" | "split" | "window";
}

export type ProposalState = "waiting" | "accepted" | "rejected" | "expired" | "failed";

export interface ProposalChanged {
	id: string;
	state: ProposalState;
}

/** What the daemon publishes, by type. A type that is not here is ignored. */
export interface WireEvents {
	status: Progress;
	changed: Changed;
	activity: Activity;
	write_request: WriteRequest;
	rename_request: RenameRequest;
	trash_request: TrashRequest;
	open_request: OpenRequest;
	proposal: ProposalChanged;
}

export interface EventBatch {
	cursor: number;
	reset: boolean;
	events: { id: number; type: string; data: unknown }[];
}

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

export interface ProposedFile extends FileDiff {
	/** Its hunks can only be accepted together. */
	whole: boolean;
	/** Agents may not see it. */
	hidden: boolean;
}

export interface Proposal {
	id: string;
	at: number;
	client: string;
	session: string;
	tool: string;
	summary: string;
	reason: string | null;
	state: ProposalState;
	expires: number;
	/** As things are it cannot be accepted; `problem` says why. */
	stale: boolean;
	problem: string | null;
	/** No part of it can be chosen. */
	whole: boolean;
	files: ProposedFile[];
	decided: number | null;
	/** The change that carried it out. */
	change: string | null;
	/** Carried out without some of its hunks. */
	partial: boolean;
	/** Why it was rejected. */
	answer: string | null;
}

/** A file of which these hunks are accepted; `null`: all of it. */
export interface ChosenFile {
	path: string;
	hunks: string[] | null;
}

export interface ProposalPage {
	proposals: Proposal[];
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

export interface AgentConnection {
	command: string;
	args: string[];
	http_url: string;
	token_file: string;
}

export interface AccessRules {
	deny: string[];
	read_only: string[];
	ask: string[];
	mcpignore: string[];
}

export interface ParityDifference {
	path: string;
	kind: "resolved" | "unresolved" | "tag";
	what: string;
	app: number;
	sidecar: number;
}

export interface ParityReport {
	files: number;
	differences: ParityDifference[];
	total: number;
	report: string;
}

/** The body of every refusal. */
export interface ErrorBody {
	error: string;
	message: string;
	hint: string | null;
	candidates: string[];
	data: unknown;
}
