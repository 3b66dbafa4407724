/** Fetches the diff of a change once, when somebody unfolds it: what was recorded stays as it is. */

import type { Bridge } from "../connection/bridge";
import type { ChangeDiff, FileDiff } from "../connection/protocol";
import { sentenceOf } from "../report";

export type DiffContent = { kind: "loading" } | { kind: "failed"; message: string } | { kind: "loaded"; files: readonly FileDiff[] };

const MOST_KEPT = 50;

export class Diffs {
	private readonly known = new Map<string, DiffContent>();

	constructor(
		private readonly bridge: Bridge,
		private readonly onChange: () => void,
	) {}

	get(id: string): DiffContent {
		return this.known.get(id) ?? { kind: "loading" };
	}

	async load(id: string): Promise<void> {
		const { kind } = this.known.get(id) ?? { kind: "failed" };
		if (kind !== "failed") return;
		this.known.set(id, { kind: "loading" });
		try {
			const { files } = await this.bridge.get<ChangeDiff>(`activity/${encodeURIComponent(id)}/diff`);
			this.known.set(id, { kind: "loaded", files });
		} catch (error) {
			this.known.set(id, { kind: "failed", message: sentenceOf(error) });
		}
		this.onChange();
	}

	/** Forget the diffs that are folded, when there are many. */
	keep(open: ReadonlySet<string>): void {
		if (this.known.size <= MOST_KEPT) return;
		for (const id of [...this.known.keys()]) if (!open.has(id)) this.known.delete(id);
	}
}
