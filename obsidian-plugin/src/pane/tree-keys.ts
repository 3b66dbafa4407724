/** What a key does in a list that is a tree. */

/** A row's place in the tree. */
export interface TreeNode {
	/** 1 for the outermost rows. */
	level: number;
	/** Whether it is unfolded; `null` when it cannot be folded. */
	isOpen: boolean | null;
}

/** Make a row the active one, or do what a click on it does. */
export type Stroke<R> = { activate: R } | { act: R } | null;

/** `null` when the key means nothing to the list. Rows without a node only say something, and are passed over. */
export function strokeOf<R extends { key: string }>(rows: readonly R[], nodeOf: (row: R) => TreeNode | null, activeKey: string | null, key: string): Stroke<R> {
	const actors = rows.flatMap((row) => {
		const node = nodeOf(row);
		return node === null ? [] : [{ row, ...node }];
	});
	const at = actors.findIndex(({ row }) => row.key === activeKey);
	const here = actors[at];
	const activate = (next: { row: R } | undefined): Stroke<R> => (next === undefined ? null : { activate: next.row });
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
			return here === undefined ? null : { act: here.row };
		case "ArrowLeft":
			if (here?.isOpen === true) return { act: here.row };
			return here === undefined ? null : activate(actors.slice(0, at).reverse().find(({ level }) => level < here.level));
		case "ArrowRight": {
			if (here?.isOpen === false) return { act: here.row };
			const next = actors[at + 1];
			return here?.isOpen === true && next !== undefined && next.level > here.level ? activate(next) : null;
		}
		default:
			return null;
	}
}
