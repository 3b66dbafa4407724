/** Turns mentions and the pane's state into the flat list of rows that is shown. */

import type { Mention } from "../connection/protocol";
import type { TreeNode } from "../pane/tree-keys";
import { filterFor } from "./filter";
import type { PaneState, SectionName } from "./pane-state";

/** What is known of one section. */
export type SectionContent = { status: "idle" | "loading" } | { status: "failed"; message: string } | { status: "loaded"; mentions: readonly Mention[]; total: number };

export type Contents = Readonly<Record<SectionName, SectionContent>>;

export interface SectionRow {
	kind: "section";
	key: string;
	section: SectionName;
	title: string;
	/** `null` before the section was asked for. */
	count: number | null;
	isCollapsed: boolean;
	/** The mentions shown that can become links. */
	linkable: readonly string[];
}

export interface FileRow {
	kind: "file";
	key: string;
	section: SectionName;
	path: string;
	title: string;
	count: number;
	isFolded: boolean;
	isHidden: boolean;
	linkable: readonly string[];
}

export interface MentionRow {
	kind: "mention";
	key: string;
	section: SectionName;
	mention: Mention;
}

export interface MessageRow {
	kind: "message";
	key: string;
	text: string;
}

export type Row = SectionRow | FileRow | MentionRow | MessageRow;

const TITLES = { linked: "Linked mentions", unlinked: "Unlinked mentions" } as const;

/** What is shown whatever the state says, from the settings. */
export interface Shown {
	unlinked: boolean;
	hidden: boolean;
}

export function rowsOf(contents: Contents, state: PaneState, shown: Shown): Row[] {
	const linked = sectionRows("linked", contents.linked, state, shown);
	return shown.unlinked ? [...linked, ...sectionRows("unlinked", contents.unlinked, state, shown)] : linked;
}

function sectionRows(section: SectionName, content: SectionContent, state: PaneState, shown: Shown): Row[] {
	const isCollapsed = state.collapsed[section];
	const fits = filterFor(state.isFilterShown ? state.filter : "");
	const mentions = content.status === "loaded" ? content.mentions.filter((mention) => (shown.hidden || !mention.hidden) && fits(mention)) : [];
	const header: SectionRow = {
		kind: "section",
		key: section,
		section,
		title: TITLES[section],
		count: content.status === "loaded" ? mentions.length : null,
		isCollapsed,
		linkable: section === "unlinked" ? mentions.map(({ id }) => id) : [],
	};
	if (isCollapsed) return [header];
	if (section === "unlinked" && state.section !== null) return [header, message(section, "A mention without a link means the whole note.")];
	if (content.status !== "loaded") {
		return [header, message(section, content.status === "failed" ? content.message : "Looking for mentions…")];
	}
	if (mentions.length === 0) return [header, message(section, content.total > 0 ? "No mention fits the filter." : "No mentions found.")];
	return [header, ...[...groupByPath(mentions)].flatMap(([path, group]) => fileRows(section, path, group, state))];
}

function fileRows(section: SectionName, path: string, mentions: readonly Mention[], state: PaneState): Row[] {
	const isFolded = state.folded[section].includes(path);
	const file: FileRow = {
		kind: "file",
		key: `${section}/${path}`,
		section,
		path,
		title: mentions[0]?.title ?? path,
		count: mentions.length,
		isFolded,
		isHidden: mentions.some(({ hidden }) => hidden),
		linkable: section === "unlinked" ? mentions.map(({ id }) => id) : [],
	};
	if (isFolded) return [file];
	return [file, ...mentions.map((mention, index): MentionRow => ({ kind: "mention", key: `${section}/${path}#${mention.id}#${index}`, section, mention }))];
}

function message(section: SectionName, text: string): MessageRow {
	return { kind: "message", key: `${section}!`, text };
}

/** Group in the order in which the paths come. */
export function groupByPath(mentions: readonly Mention[]): Map<string, Mention[]> {
	const groups = new Map<string, Mention[]>();
	for (const mention of mentions) {
		const group = groups.get(mention.path);
		if (group) group.push(mention);
		else groups.set(mention.path, [mention]);
	}
	return groups;
}

/** A row's place in the tree. */
export function nodeOf(row: Row): TreeNode | null {
	switch (row.kind) {
		case "section":
			return { level: 1, isOpen: !row.isCollapsed };
		case "file":
			return { level: 2, isOpen: !row.isFolded };
		case "mention":
			return { level: 3, isOpen: null };
		case "message":
			return null;
	}
}
