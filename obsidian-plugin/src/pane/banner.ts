/** The line above a list that says why what it shows may be old. */

import type { ConnectionState } from "../connection/bridge";
import { report } from "../report";
import { appearance } from "../status/appearance";

/** Shown while the daemon is away; empty and hidden while it is there. */
export function renderBanner(el: HTMLElement, state: ConnectionState, start: () => Promise<void>): void {
	el.empty();
	if (state.kind !== "online") {
		const { sentence, action } = appearance(state);
		el.createSpan({ text: sentence });
		if (action === "start") el.createEl("button", { text: "Start" }).addEventListener("click", () => void report(start));
	}
	el.toggle(el.hasChildNodes());
}
