/** Does what the daemon asks of the app: each request once, claimed before it is acted on, one after another for each file. */

import { Component, type App } from "obsidian";
import type { Bridge } from "../connection/bridge";
import { fileWork, openWork, renameWork, trashWork, writeWork, type Result, type Work } from "./works";

/** Characters of an error that the daemon takes. */
const MOST_SAID = 1000;

export class RequestRunner extends Component {
	private readonly busy = new Map<string, Promise<void>>();

	constructor(
		private readonly app: App,
		private readonly bridge: Bridge,
	) {
		super();
	}

	override onload(): void {
		const { app, bridge } = this;
		this.register(bridge.on("write_request", (request) => this.queue(request.id, [request.path], writeWork(app, request))));
		this.register(bridge.on("rename_request", (request) => this.queue(request.id, [request.path, request.to], renameWork(app, request))));
		this.register(bridge.on("trash_request", (request) => this.queue(request.id, [request.path], trashWork(app, request))));
		this.register(bridge.on("open_request", (request) => this.queue(request.id, [request.path], openWork(app, request))));
	}

	private queue(id: string, paths: string[], work: Work): void {
		const before = paths.map((path) => this.busy.get(path) ?? Promise.resolve());
		const done = Promise.all(before).then(() => this.run(id, fileWork(this.app, paths, work)));
		for (const path of paths) {
			this.busy.set(path, done);
			void done.then(() => {
				if (this.busy.get(path) === done) this.busy.delete(path);
			});
		}
	}

	/** Never rejects: what goes wrong the daemon learns, or it looks at the disk. */
	private async run(id: string, work: Work): Promise<void> {
		const { clientId: client_id } = this.bridge;
		try {
			// An answer without a claim means that nothing was done, so that the daemon need not wait.
			if (!work.isPossible()) {
				await this.bridge.post(`requests/${id}/result`, { client_id, outcome: "failed", sha256: null, message: null });
				return;
			}
			await this.bridge.post(`requests/${id}/claim`, { client_id });
		} catch {
			return; // withdrawn, or meant for another
		}
		const result = await work.act().catch((error: unknown): Result => ({ outcome: "failed", message: (error instanceof Error ? error.message : String(error)).slice(0, MOST_SAID) }));
		await this.bridge.post(`requests/${id}/result`, { client_id, sha256: null, message: null, ...result }).catch(() => undefined);
	}
}
