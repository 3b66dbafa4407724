/** What a key does in the list, as in a tree. */

import type { Row } from "./rows";

export type Actor = Exclude<Row, { kind: "message" }>;

/** Make a row the active one, or do what a click on it does. */
export type Stroke = { activate: Actor } | { act: Actor } | null;

/** `null` when the key means nothing to the list. */
export function strokeOf(rows: readonly Row[], activeKey: string | null, key: string): Stroke {
	const actors = rows.filter((row) => row.kind !== "message");
	const at = actors.findIndex((row) => row.key === activeKey);
	const row = actors[at];
	const activate = (next: Actor | undefined): Stroke => (next === undefined ? null : { activate: next });
	switch (key) {
		case "ArrowDown":
			return activate(actors[Math.min(at + 1, actors.length - 1)]);
		case "ArrowUp":
			return activate(actors[Math.max(at - 1, 0)]);
		case "Home":
			return activate(actors[0]);
		case "End":
			return activate(actors.at(-1));
		case "Enter":
			return row === undefined ? null : { act: row };
		case "ArrowLeft":
			if (row?.kind === "mention") return activate(actors.slice(0, at).reverse().find(({ kind }) => kind === "file"));
			return row !== undefined && isOpen(row) ? { act: row } : null;
		case "ArrowRight":
			return row !== undefined && row.kind !== "mention" && !isOpen(row) ? { act: row } : null;
		default:
			return null;
	}
}

function isOpen(row: Exclude<Actor, { kind: "mention" }>): boolean {
	return row.kind === "section" ? !row.isCollapsed : !row.isFolded;
}
