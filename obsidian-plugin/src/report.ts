/** Says in a notice when something a person asked for could not be done. */

import { Notice } from "obsidian";
import { BridgeError } from "./connection/bridge";

/** Do the work; return its result, or `undefined` after the person was told why there is none. */
export async function report<T>(work: () => T | Promise<T>): Promise<T | undefined> {
	try {
		return await work();
	} catch (error) {
		new Notice(sentenceOf(error));
		return undefined;
	}
}

export function sentenceOf(error: unknown): string {
	if (error instanceof BridgeError && error.hint) return `${error.message} ${error.hint}`;
	return error instanceof Error ? error.message : String(error);
}
