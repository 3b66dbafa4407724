/** How the daemon introduces itself, and how it is doing. */

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
	/** How many proposals wait for the person. */
	proposals: number;
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

/** The body of every refusal. */
export interface ErrorBody {
	error: string;
	message: string;
	hint: string | null;
	candidates: string[];
	data: unknown;
}
