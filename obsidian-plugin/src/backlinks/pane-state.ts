/** What one backlinks pane remembers: kept by the workspace, so that it is the same after a restart. */

import type { MentionKind } from "../connection/protocol";

export const SORTS = {
	name: "File name (A to Z)",
	name_desc: "File name (Z to A)",
	modified: "Modified time (new to old)",
	modified_asc: "Modified time (old to new)",
	created: "Created time (new to old)",
	created_asc: "Created time (old to new)",
	relevance: "Relevance",
} as const;

export type Sort = keyof typeof SORTS;

export const KINDS: Readonly<Record<MentionKind, string>> = {
	body: "Links in text",
	embed: "Embeds",
	property: "Properties",
	canvas: "Canvas cards",
	base: "Bases",
};

export type SectionName = "linked" | "unlinked";

export interface PaneState {
	/** The note this pane stays with; `null`: it follows the active one. */
	pinned: string | null;
	sort: Sort;
	moreContext: boolean;
	isFilterShown: boolean;
	filter: string;
	/** Only mentions of this heading or `^block` of the note. */
	section: string | null;
	/** Only these kinds; empty: all. */
	kinds: readonly MentionKind[];
	folder: string | null;
	tag: string | null;
	collapsed: Readonly<Record<SectionName, boolean>>;
	/** Paths whose mentions are folded, by section. */
	folded: Readonly<Record<SectionName, readonly string[]>>;
}

export const FIRST_STATE: PaneState = {
	pinned: null,
	sort: "name",
	moreContext: false,
	isFilterShown: false,
	filter: "",
	section: null,
	kinds: [],
	folder: null,
	tag: null,
	collapsed: { linked: false, unlinked: true },
	folded: { linked: [], unlinked: [] },
};

/** Read what the workspace kept; what does not fit is as at first. */
export function stateFrom(stored: unknown): PaneState {
	const kept = isRecord(stored) ? stored : {};
	const collapsed = isRecord(kept["collapsed"]) ? kept["collapsed"] : {};
	const folded = isRecord(kept["folded"]) ? kept["folded"] : {};
	const text = (name: string): string | null => (typeof kept[name] === "string" ? kept[name] : null);
	const sort = text("sort");
	return {
		pinned: text("pinned"),
		sort: sort !== null && sort in SORTS ? (sort as Sort) : FIRST_STATE.sort,
		moreContext: kept["moreContext"] === true,
		isFilterShown: kept["isFilterShown"] === true,
		filter: text("filter") ?? "",
		section: text("section"),
		kinds: texts(kept["kinds"]).filter((kind): kind is MentionKind => kind in KINDS),
		folder: text("folder"),
		tag: text("tag"),
		collapsed: {
			linked: collapsed["linked"] === true,
			unlinked: collapsed["unlinked"] !== false,
		},
		folded: { linked: texts(folded["linked"]), unlinked: texts(folded["unlinked"]) },
	};
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null;
}

function texts(value: unknown): string[] {
	return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
