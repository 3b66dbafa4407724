/** What one activity pane remembers: kept by the workspace, so that it is the same after a restart. */

export interface PaneState {
	/** Only what this client did; `null`: all. */
	client: string | null;
	isFilterShown: boolean;
	/** Only changes of paths that hold this text. */
	filter: string;
	/** Keys of sessions that are folded. */
	folded: readonly string[];
}

export const FIRST_STATE: PaneState = { client: null, isFilterShown: false, filter: "", folded: [] };

/** Read what the workspace kept; what does not fit is as at first. */
export function stateFrom(stored: unknown): PaneState {
	const kept = (typeof stored === "object" && stored !== null ? stored : {}) as Record<string, unknown>;
	const folded: unknown[] = Array.isArray(kept["folded"]) ? kept["folded"] : [];
	return {
		client: typeof kept["client"] === "string" ? kept["client"] : null,
		isFilterShown: kept["isFilterShown"] === true,
		filter: typeof kept["filter"] === "string" ? kept["filter"] : "",
		folded: folded.filter((key): key is string => typeof key === "string"),
	};
}
