import { expect, it } from "vitest";
import { strokeOf, type TreeNode } from "../../src/pane/tree-keys";

interface Row {
	key: string;
	node: TreeNode | null;
}

const row = (key: string, level: number, isOpen: boolean | null = null): Row => ({ key, node: { level, isOpen } });
/** Two parts, the second folded, with a line between them that only says something. */
const ROWS: Row[] = [row("a", 1, true), row("a1", 2, true), row("a1x", 3), row("a2", 2, false), { key: "said", node: null }, row("b", 1, false)];
const EMPTY: Row[] = [{ key: "said", node: null }];

it.each([
	[ROWS, null, "ArrowDown", "to a"],
	[ROWS, "a2", "ArrowDown", "to b"],
	[ROWS, "b", "ArrowDown", "to b"],
	[ROWS, "b", "ArrowUp", "to a2"],
	[ROWS, "a", "ArrowUp", "to a"],
	[ROWS, "b", "Home", "to a"],
	[ROWS, null, "End", "to b"],
	[ROWS, "a1x", "Enter", "act a1x"],
	[ROWS, "gone", "Enter", null],
	[ROWS, "a1x", "ArrowLeft", "to a1"],
	[ROWS, "a1", "ArrowLeft", "act a1"],
	[ROWS, "a2", "ArrowLeft", "to a"],
	[ROWS, "b", "ArrowLeft", null],
	[ROWS, "a", "ArrowRight", "to a1"],
	[ROWS, "a2", "ArrowRight", "act a2"],
	[ROWS, "a1x", "ArrowRight", null],
	[[row("a", 1, true), row("b", 1, true)], "a", "ArrowRight", null],
	[ROWS, "a", "x", null],
	[EMPTY, null, "ArrowDown", null],
	[EMPTY, null, "End", null],
])("%#: at %s, %s", (rows, active, key, expected) => {
	const stroke = strokeOf(rows, ({ node }) => node, active, key);
	expect(stroke === null ? null : "act" in stroke ? `act ${stroke.act.key}` : `to ${stroke.activate.key}`).toBe(expected);
});
