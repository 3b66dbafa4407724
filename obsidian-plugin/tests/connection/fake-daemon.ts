/** A daemon in this process: answers what `requestUrl` is asked as the real one does. */

import { createHmac } from "node:crypto";
import type { RequestUrlParam, RequestUrlResponse } from "obsidian";
import type { EventBatch } from "../../src/connection/protocol";
import { STATUS } from "../fakes";

export class FakeDaemon {
	isDown = false;
	vault = "k";
	token = "secret";
	acceptsToken = true;
	status = STATUS;
	protocol = { min: 1, max: 1 };
	readonly requests: { route: string; query: URLSearchParams; headers: Record<string, string>; body: string }[] = [];
	readonly batches: EventBatch[] = [];
	/** Ends the poll that is open. */
	private release: ((batch: EventBatch) => void) | null = null;

	readonly requestUrl = async (param: RequestUrlParam): Promise<RequestUrlResponse> => {
		const url = new URL(param.url);
		const route = url.pathname.replace("/v1/", "");
		this.requests.push({ route, query: url.searchParams, headers: param.headers ?? {}, body: String(param.body ?? "") });
		if (this.isDown) throw new Error("net::ERR_CONNECTION_REFUSED");
		if (route === "hello") return reply(200, this.hello(url.searchParams));
		if (!this.acceptsToken || param.headers?.["Authorization"] !== `Bearer ${this.token}`) return reply(401, { error: "refused", message: "Wrong token." });
		if (route === "vaults") {
			this.vault = url.searchParams.get("vault") ?? "";
			return reply(200, STATUS);
		}
		if (route === "status") return reply(200, this.status);
		if (route === "events") return reply(200, await this.events(url.searchParams));
		return reply(404, { error: "not_found", message: "No such route." });
	};

	publish(batch: EventBatch): void {
		if (this.release === null) this.batches.push(batch);
		else this.release(batch);
		this.release = null;
	}

	asked(route: string): number {
		return this.requests.filter((request) => request.route === route).length;
	}

	private hello(query: URLSearchParams): unknown {
		const proof = createHmac("sha256", this.token).update(`vault-sidecar hello ${query.get("nonce") ?? ""}`).digest("hex");
		return { protocol: this.protocol, version: "9.9", instance_id: "i", proof, vault: query.get("vault") === this.vault ? "served" : "unknown", capabilities: [] };
	}

	private events(query: URLSearchParams): EventBatch | Promise<EventBatch> {
		if (!query.has("after")) return { cursor: 7, reset: false, events: [] };
		const ready = this.batches.shift();
		return ready ?? new Promise((resolve) => (this.release = resolve));
	}
}

export function reply(status: number, body: unknown): RequestUrlResponse {
	const text = typeof body === "string" ? body : JSON.stringify(body);
	return { status, text, headers: {}, json: null, arrayBuffer: new ArrayBuffer(0) };
}
