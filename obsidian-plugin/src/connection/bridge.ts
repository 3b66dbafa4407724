/** What every other part of the plugin may ask of the daemon; `Connection` is the one implementation, tests give their own. */

import type { ErrorBody, Status, WireEvents } from "./protocol";

/** Each state is one icon, one sentence and one action in the status bar. */
export type ConnectionState =
	| { kind: "not-running" }
	| { kind: "starting" }
	| { kind: "connecting" }
	| { kind: "offline" }
	| { kind: "wrong-vault" }
	| { kind: "token-refused"; reason: "proof" | "bearer" | "missing" }
	| { kind: "version-mismatch"; daemon: string }
	| { kind: "failed"; message: string }
	| { kind: "online"; status: Status };

/** Events of the daemon by type, and two of our own: `state` at each change of state, `reset` when everything shown must be asked again. */
export interface BridgeEvents extends WireEvents {
	state: ConnectionState;
	reset: null;
}

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;

export interface Bridge {
	readonly state: ConnectionState;
	/** Identifies this loaded plugin; a reload gets a new one, so that the daemon can refuse the old. */
	readonly clientId: string;
	/** Get `/v1/{route}`. Throws {@link BridgeError}. Empty values of the query are left out. */
	get<T>(route: string, query?: Query): Promise<T>;
	/** Post a JSON body to `/v1/{route}`. Throws {@link BridgeError}. */
	post<T>(route: string, body?: unknown): Promise<T>;
	/** Call the handler for each event of that type; returns the function that stops it (give it to `register`). */
	on<K extends keyof BridgeEvents>(type: K, handler: (data: BridgeEvents[K]) => void): () => void;
}

/** A refusal of the daemon, or status 0 when it could not be reached. */
export class BridgeError extends Error {
	readonly category: string;
	readonly hint: string | null;
	readonly candidates: readonly string[];
	readonly data: unknown;

	constructor(readonly status: number, body: Partial<ErrorBody>) {
		super(body.message ?? "The sidecar did not answer.");
		this.name = "BridgeError";
		this.category = body.error ?? "unavailable";
		this.hint = body.hint ?? null;
		this.candidates = body.candidates ?? [];
		this.data = body.data ?? null;
	}
}
