/** Keeps one long poll to the daemon of this vault open, and says how it goes. */

import { Component } from "obsidian";
import { Backoff } from "./backoff";
import { BridgeError, type Bridge, type BridgeEvents, type ConnectionState, type Query } from "./bridge";
import { Bus } from "./bus";
import { Client } from "./client";
import { isAlive, type Endpoint } from "./discovery";
import type { EventBatch, Progress, Status } from "./protocol";

/** What the connection needs of its surroundings. */
export interface Surroundings {
	/** The key of this vault, see `vaultKey`. */
	vault: string;
	/** All daemons that could be meant. */
	endpoints: () => Endpoint[];
	/** Call back when there may be another daemon; returns how to stop. */
	watch: (onChange: () => void) => () => void;
}

const WAIT_SECONDS = 25;
const POLL_PATIENCE = (WAIT_SECONDS + 10) * 1000;

export class Connection extends Component implements Bridge {
	readonly clientId: string = crypto.randomUUID();
	private current: ConnectionState = { kind: "connecting" };
	private client: Client | null = null;
	private readonly bus = new Bus();
	/** An older loop sees another number and ends: a poll cannot be aborted. */
	private generation = 0;
	private wake: () => void = () => undefined;
	private isStarting = false;

	constructor(private readonly around: Surroundings) {
		super();
	}

	get state(): ConnectionState {
		return this.current;
	}

	/** The daemon that is spoken to; `null` while there is none. */
	get endpoint(): Endpoint | null {
		return this.client?.endpoint ?? null;
	}

	override onload(): void {
		this.register(this.around.watch(() => this.retry()));
		this.registerDomEvent(window, "focus", () => this.retry());
		this.registerDomEvent(window, "online", () => this.retry());
		this.reconnect();
	}

	override onunload(): void {
		this.generation++;
		this.wake();
		this.client = null;
	}

	/** Drop the current poll and connect again at once. */
	reconnect(): void {
		this.client = null;
		if (this.current.kind === "online") this.become({ kind: "connecting" });
		this.wake();
		void this.run(++this.generation);
	}

	/** Connect now when it was about to be tried later; a connection that works is left alone. */
	retry(): void {
		if (this.current.kind !== "online") this.reconnect();
	}

	/** Say that a daemon is being started, until it answers or `false` is said. */
	starting(isStarting: boolean): void {
		this.isStarting = isStarting;
		if (isStarting) this.become({ kind: "starting" });
		this.reconnect();
	}

	/** Ask a daemon that runs for other vaults to serve the folder of this one too; `false` when there is none. */
	async serveHere(folder: string): Promise<boolean> {
		for (const endpoint of this.around.endpoints()) {
			const client = new Client(endpoint, this.around.vault);
			const refusal = await client.hello().catch(() => null);
			if (refusal?.kind !== "wrong-vault") continue;
			await client.post("vaults", { path: folder });
			this.reconnect();
			return true;
		}
		return false;
	}

	on<K extends keyof BridgeEvents>(type: K, handler: (data: BridgeEvents[K]) => void): () => void {
		return this.bus.on(type, handler);
	}

	async get<T>(route: string, query?: Query): Promise<T> {
		return this.open().get<T>(route, query);
	}

	async post<T>(route: string, body?: unknown): Promise<T> {
		return this.open().post<T>(route, body);
	}

	/** Ask for the full status again, for instance because a menu is about to show it. */
	async refreshStatus(): Promise<void> {
		const { client } = this;
		if (client === null) return;
		const status = await client.get<Status>("status");
		if (client !== this.client || this.current.kind !== "online") return;
		// How far the work is, events tell: work too short to be told of would seem never to end.
		const { state, done, total } = this.current.status;
		this.become({ kind: "online", status: { ...status, state, done, total } });
	}

	private open(): Client {
		if (this.client === null) throw new BridgeError(0, { message: "The sidecar is not connected." });
		return this.client;
	}

	/** Tell a state, unless it is the one that everybody knows. */
	private become(state: ConnectionState): void {
		if (JSON.stringify(state) === JSON.stringify(this.current)) return;
		this.current = state;
		this.bus.emit("state", state);
	}

	private async run(generation: number): Promise<void> {
		const backoff = new Backoff();
		const isMine = (): boolean => generation === this.generation;
		let isSure = this.current.kind === "wrong-vault";
		while (isMine()) {
			const state = await this.attempt(isMine, backoff);
			if (!isMine()) return;
			this.client = null;
			// A daemon publishes itself a moment before it has opened its vaults, so "wrong vault" is said at the second look.
			const isTooEarly = state.kind === "wrong-vault" && !isSure;
			isSure = state.kind === "wrong-vault";
			if (this.isStarting && isAbsent(state)) this.become({ kind: "starting" });
			else this.become(isTooEarly ? { kind: "connecting" } : state);
			await this.sleep(this.isStarting ? 250 : backoff.next());
		}
	}

	/** Try each daemon that could be meant; return why none of them is spoken to (any more). */
	private async attempt(isMine: () => boolean, backoff: Backoff): Promise<ConnectionState> {
		const { endpoints, vault } = this.around;
		const all = endpoints();
		const meant = all.filter((endpoint) => endpoint.vaults === null || vault in endpoint.vaults);
		let result: ConnectionState = { kind: all.length > 0 && all.some(({ pid }) => pid === null || isAlive(pid)) ? "wrong-vault" : "not-running" };
		for (const endpoint of meant) {
			const outcome = await this.speak(new Client(endpoint, vault), isMine, backoff);
			if (!isMine()) return outcome;
			// What a live daemon of this vault said tells more than what a file left by a dead one did.
			if (result.kind === "not-running" || result.kind === "wrong-vault" || !isAbsent(outcome)) result = outcome;
		}
		return result;
	}

	private async speak(client: Client, isMine: () => boolean, backoff: Backoff): Promise<ConnectionState> {
		try {
			if (!this.isStarting && this.current.kind === "not-running") this.become({ kind: "connecting" });
			const refusal = await client.hello();
			if (refusal !== null) return refusal.kind === "token-refused" && isDead(client) ? { kind: "not-running" } : refusal;
			if (!isMine()) return { kind: "connecting" };
			return await this.listen(client, isMine, backoff);
		} catch (error) {
			return stateAfter(error, client);
		}
	}

	private async listen(client: Client, isMine: () => boolean, backoff: Backoff): Promise<never> {
		const poll = (query: Query): Promise<EventBatch> => client.get<EventBatch>("events", { ...query, client: this.clientId }, POLL_PATIENCE);
		// The cursor comes first: what happens while the status is asked is then not missed.
		let { cursor } = await poll({});
		let isNews = true;
		while (isMine()) {
			if (isNews) {
				const status = await client.get<Status>("status");
				if (!isMine()) break;
				this.client = client;
				this.isStarting = false;
				this.become({ kind: "online", status });
				this.bus.emit("reset", null);
			}
			const batch = await poll({ after: cursor, wait: WAIT_SECONDS });
			if (!isMine()) break;
			backoff.reset();
			cursor = batch.cursor;
			isNews = batch.reset;
			batch.events.forEach(({ type, data }) => this.hear(type, data));
		}
		throw new BridgeError(0, {});
	}

	private hear(type: string, data: unknown): void {
		if (type === "status" && this.current.kind === "online") {
			const before = this.current.status;
			this.become({ kind: "online", status: { ...before, ...(data as Progress) } });
			// How many files there are now is only told when it is asked.
			if (before.state !== "ready" && this.current.status.state === "ready") void this.refreshStatus().catch(() => undefined);
		}
		this.bus.emit(type, data);
	}

	private sleep(milliseconds: number): Promise<void> {
		return new Promise((resolve) => {
			const timer = window.setTimeout(resolve, milliseconds);
			this.wake = () => {
				window.clearTimeout(timer);
				resolve();
			};
		});
	}
}

function stateAfter(error: unknown, client: Client): ConnectionState {
	if (!(error instanceof BridgeError)) return { kind: "failed", message: String(error) };
	if (error.status === 0 || error.status === 503) return { kind: isDead(client) ? "not-running" : "offline" };
	if (error.status === 401) return { kind: "token-refused", reason: "bearer" };
	if (error.status === 404) return { kind: "wrong-vault" };
	return { kind: "failed", message: error.message };
}

function isAbsent(state: ConnectionState): boolean {
	return state.kind === "not-running" || state.kind === "offline" || state.kind === "wrong-vault";
}

function isDead(client: Client): boolean {
	return client.endpoint.pid !== null && !isAlive(client.endpoint.pid);
}
