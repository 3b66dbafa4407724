/** Hands each event to those who asked for its type. */

import type { BridgeEvents } from "./bridge";

type Handler = (data: unknown) => void;

export class Bus {
	private readonly handlers = new Map<string, Set<Handler>>();

	on<K extends keyof BridgeEvents>(type: K, handler: (data: BridgeEvents[K]) => void): () => void {
		const own = this.handlers.get(type) ?? new Set();
		this.handlers.set(type, own);
		const call: Handler = (data) => handler(data as BridgeEvents[K]);
		own.add(call);
		return () => own.delete(call);
	}

	/** Types nobody asked for are ignored; a handler that fails does not keep the others from hearing. */
	emit(type: string, data: unknown): void {
		for (const handler of [...(this.handlers.get(type) ?? [])]) {
			try {
				handler(data);
			} catch (error) {
				console.error("Vault Sidecar:", error);
			}
		}
	}
}
