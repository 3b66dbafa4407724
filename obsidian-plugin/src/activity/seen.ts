/** Remembers which change of an agent the person saw last, and counts those after it. */

import { Component, type App } from "obsidian";
import type { Bridge } from "../connection/bridge";
import type { Activity, ActivityPage } from "../connection/protocol";
import type { Unread } from "../status/unread";
import { isPerson } from "./person";

const KEY = "vault-sidecar-seen";
/** More than this is not counted: it is too much to look at anyway. */
const MOST = 200;

export class Seen extends Component {
	/** The newest change there is, by its id, which sorts by time; empty when there is none, `null` before that is known. */
	private newest: string | null = null;
	private seen: string | null;
	private question = 0;

	constructor(
		private readonly app: App,
		private readonly bridge: Bridge,
		private readonly unread: Unread,
	) {
		super();
		const kept: unknown = app.loadLocalStorage(KEY);
		this.seen = typeof kept === "string" ? kept : null;
	}

	/** Id of the change that was seen last; `null` before a daemon was ever met. */
	get last(): string | null {
		return this.seen;
	}

	override onload(): void {
		this.register(this.bridge.on("reset", () => void this.count().catch(() => undefined)));
		this.register(this.bridge.on("activity", (activity) => this.heard(activity)));
	}

	/** Everything there is now has been seen. */
	mark(): void {
		this.question++;
		if (this.newest !== null && this.newest !== this.seen) {
			this.seen = this.newest;
			this.app.saveLocalStorage(KEY, this.seen);
		}
		this.unread.set(0);
	}

	private heard({ id, client }: Activity): void {
		this.newest = id;
		if (!isPerson(client)) this.unread.set(this.unread.count + 1);
		else if (this.unread.count === 0) this.mark();
	}

	private async count(): Promise<void> {
		const { state } = this.bridge;
		if (state.kind !== "online") return;
		const mine = ++this.question;
		this.newest = state.status.change_cursor ?? "";
		// What was done before this plugin first looked is not news.
		if (this.seen === null || this.newest <= this.seen) {
			this.mark();
			return;
		}
		const { seen } = this;
		const { changes } = await this.bridge.get<ActivityPage>("activity", { limit: MOST });
		if (mine === this.question) this.unread.set(changes.filter(({ id, client }) => id > seen && !isPerson(client)).length);
	}
}
