/** Keeps the newest changes that the daemon has recorded, page by page. */

import type { Bridge } from "../connection/bridge";
import type { ActivityPage, Change } from "../connection/protocol";
import { sentenceOf } from "../report";

const PAGE = 50;
const MOST_AT_ONCE = 200;

export type FeedStatus = { kind: "idle" | "loading" | "loaded" } | { kind: "failed"; message: string };

export class Feed {
	status: FeedStatus = { kind: "idle" };
	/** Newest first. */
	changes: readonly Change[] = [];
	/** Where the list goes on; `null` at its end. */
	private before: string | null = null;
	private client: string | null = null;
	/** An answer to an overtaken question is dropped. */
	private question = 0;

	constructor(
		private readonly bridge: Bridge,
		private readonly onChange: () => void,
	) {}

	get hasMore(): boolean {
		return this.before !== null;
	}

	/** Show the changes of this client only; `null`: of all. */
	async choose(client: string | null): Promise<void> {
		this.client = client;
		this.changes = [];
		this.before = null;
		this.status = { kind: this.bridge.state.kind === "online" ? "loading" : "idle" };
		this.onChange();
		await this.refresh();
	}

	/** Ask again for what is shown: an undo changes older changes too. */
	async refresh(): Promise<void> {
		const limit = Math.min(Math.max(this.changes.length, PAGE), MOST_AT_ONCE);
		await this.ask(limit, null, ({ changes, before }) => {
			const oldest = changes.at(-1)?.id;
			const older = before === null || oldest === undefined ? [] : this.changes.filter(({ id }) => id < oldest);
			if (older.length === 0) this.before = before;
			this.changes = [...changes, ...older];
		});
	}

	async more(): Promise<void> {
		if (this.before === null) return;
		await this.ask(PAGE, this.before, ({ changes, before }) => {
			this.before = before;
			this.changes = [...this.changes, ...changes];
		});
	}

	private async ask(limit: number, before: string | null, take: (page: ActivityPage) => void): Promise<void> {
		// Without a daemon what is shown stays.
		if (this.bridge.state.kind !== "online") return;
		const mine = ++this.question;
		try {
			const page = await this.bridge.get<ActivityPage>("activity", { before, limit, client: this.client });
			if (mine !== this.question) return;
			take(page);
			this.status = { kind: "loaded" };
		} catch (error) {
			if (mine !== this.question) return;
			this.status = { kind: "failed", message: sentenceOf(error) };
		}
		this.onChange();
	}
}
