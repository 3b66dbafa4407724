/** Speaks HTTP with one daemon. `requestUrl` sends no Origin, so the daemon can refuse every browser. */

import { requestUrl, type RequestUrlParam } from "obsidian";
import { BridgeError, type Query } from "./bridge";
import type { Endpoint } from "./discovery";
import { newNonce, provesToken } from "./proof";
import { PROTOCOL_VERSION, type Hello } from "./protocol";

/** Why a daemon that answers may not be spoken to. */
export type Refusal = { kind: "token-refused"; reason: "proof" } | { kind: "version-mismatch"; daemon: string } | { kind: "wrong-vault" };

const PATIENCE = 60_000;

export class Client {
	constructor(
		readonly endpoint: Endpoint,
		private readonly vault: string,
	) {}

	/** Ask who answers at the port. The bearer is not sent; `null` means that it may be from now on. */
	async hello(): Promise<Refusal | null> {
		const nonce = newNonce();
		const hello = await this.send<Partial<Hello>>({ url: this.address("hello", { nonce }), method: "GET" }, 10_000);
		if (!provesToken(this.endpoint.token, nonce, hello.proof)) return { kind: "token-refused", reason: "proof" };
		const { min = 0, max = 0 } = hello.protocol ?? {};
		if (PROTOCOL_VERSION < min || PROTOCOL_VERSION > max) return { kind: "version-mismatch", daemon: hello.version ?? "" };
		return hello.vault === "served" ? null : { kind: "wrong-vault" };
	}

	get<T>(route: string, query: Query = {}, patience = PATIENCE): Promise<T> {
		return this.send<T>({ url: this.address(route, query), method: "GET", headers: this.bearer() }, patience);
	}

	post<T>(route: string, body: unknown = {}): Promise<T> {
		const headers = this.bearer();
		return this.send<T>({ url: this.address(route, {}), method: "POST", headers, contentType: "application/json", body: JSON.stringify(body) }, PATIENCE);
	}

	private bearer(): Record<string, string> {
		return { Authorization: `Bearer ${this.endpoint.token}` };
	}

	private address(route: string, query: Query): string {
		const parts = Object.entries({ ...query, vault: this.vault }).flatMap(([name, value]) => {
			const text = Array.isArray(value) ? value.join(",") : String((value as string | number | boolean | null | undefined) ?? "");
			return text === "" ? [] : [`${name}=${encodeURIComponent(text)}`];
		});
		return `http://127.0.0.1:${this.endpoint.port}/v1/${route}?${parts.join("&")}`;
	}

	private async send<T>(request: RequestUrlParam, patience: number): Promise<T> {
		const response = await within(patience, requestUrl({ ...request, throw: false })).catch((error: unknown) => {
			throw new BridgeError(0, { message: error instanceof Error ? error.message : String(error) });
		});
		const body = parsed(response.text);
		if (response.status >= 400) throw new BridgeError(response.status, body ?? {});
		if (body === null) throw new BridgeError(0, { message: "Something that is not the sidecar answered." });
		return body as T;
	}
}

/** `requestUrl` can neither be ended nor told a time limit, so a daemon that hangs is given up instead. */
async function within<T>(milliseconds: number, work: PromiseLike<T>): Promise<T> {
	let timer = 0;
	const late = new Promise<never>((_resolve, reject) => {
		timer = window.setTimeout(() => reject(new Error("The sidecar did not answer in time.")), milliseconds);
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		window.clearTimeout(timer);
	}
}

function parsed(text: string): object | null {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" ? value : null;
	} catch {
		return null;
	}
}
