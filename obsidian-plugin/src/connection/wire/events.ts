/** What the daemon publishes. */

import type { ProposalState } from "./proposals";
import type { Progress } from "./status";

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
