/** How each state looks: one icon, one tone, one sentence, one action. */

import type { ConnectionState } from "../connection/bridge";
import type { Status } from "../connection/protocol";
import { counted } from "../words";

export type Tone = "muted" | "busy" | "ok" | "warn";
export type Action = "start" | "reconnect" | "settings" | "log";

export interface Appearance {
	icon: string;
	tone: Tone;
	/** Shown beside the icon, only while something is being done. */
	text: string;
	sentence: string;
	action: Action | null;
}

export function appearance(state: ConnectionState): Appearance {
	switch (state.kind) {
		case "not-running":
			return { icon: "plug", tone: "muted", text: "", sentence: "The sidecar is not running.", action: "start" };
		case "starting":
			return { icon: "loader", tone: "busy", text: "starting", sentence: "The sidecar is starting.", action: null };
		case "connecting":
			return { icon: "loader", tone: "muted", text: "", sentence: "Connecting to the sidecar.", action: null };
		case "offline":
			return { icon: "unplug", tone: "warn", text: "", sentence: "The sidecar does not answer.", action: "reconnect" };
		case "wrong-vault":
			return { icon: "folder-x", tone: "warn", text: "", sentence: "The sidecar runs, but not for this vault.", action: "start" };
		case "token-refused":
			return state.reason === "proof"
				? { icon: "lock", tone: "warn", text: "", sentence: "What answers at the sidecar's port does not know the token.", action: "settings" }
				: { icon: "lock", tone: "warn", text: "", sentence: "The sidecar refused the token.", action: "settings" };
		case "version-mismatch":
			return { icon: "circle-arrow-up", tone: "warn", text: "", sentence: `The sidecar (${state.daemon || "unknown version"}) and this plugin need an update to work together.`, action: null };
		case "failed":
			return { icon: "triangle-alert", tone: "warn", text: "", sentence: state.message, action: "log" };
		case "online":
			return ofIndex(state.status);
	}
}

function ofIndex(status: Status): Appearance {
	const { state, done, total, files, fault } = status;
	switch (state) {
		case "starting":
			return { icon: "loader", tone: "busy", text: "starting", sentence: "The sidecar is opening the vault.", action: null };
		case "indexing":
			return { icon: "refresh-cw", tone: "busy", text: `${percent(done, total)}%`, sentence: `Indexing ${done} of ${counted(total, "file")}.`, action: null };
		case "paused":
			return { icon: "pause", tone: "muted", text: "", sentence: "Indexing is paused.", action: null };
		case "ready":
			return { icon: "check", tone: "ok", text: "", sentence: `Ready: ${counted(sum(Object.values(files)), "file")} known.`, action: null };
		case "error":
			return { icon: "triangle-alert", tone: "warn", text: "", sentence: fault ?? "The index could not be built.", action: "log" };
	}
}

function sum(numbers: readonly number[]): number {
	return numbers.reduce((total, number) => total + number, 0);
}

function percent(done: number, total: number): number {
	return total > 0 ? Math.min(Math.floor((100 * done) / total), 100) : 0;
}

/** The tooltip: the sentence, then when something last changed, who is connected, what waits and what is unread. */
export function tooltip(state: ConnectionState, unread: number, now: number): string {
	const lines = [appearance(state).sentence];
	if (state.kind === "online") {
		const { last_event, clients } = state.status;
		if (last_event !== null) lines.push(`Last change ${ago(now - last_event)}.`);
		if (clients.length > 0) lines.push(`Connected: ${[...new Set(clients.map(({ name }) => name))].join(", ")}.`);
	}
	const proposals = waiting(state);
	if (proposals > 0) lines.push(proposals === 1 ? "1 proposal waits for you." : `${proposals} proposals wait for you.`);
	if (unread > 0) lines.push(unread === 1 ? "1 unread change by an agent." : `${unread} unread changes by agents.`);
	return lines.join("\n");
}

/** How many proposals wait for the person; none while the daemon is away. */
export function waiting(state: ConnectionState): number {
	return state.kind === "online" ? state.status.proposals : 0;
}

/** Word how long ago something was. */
export function ago(milliseconds: number): string {
	const seconds = Math.max(0, Math.floor(milliseconds / 1000));
	if (seconds < 60) return "just now";
	const [count, unit]: [number, string] = seconds < 3600 ? [Math.floor(seconds / 60), "minute"] : seconds < 86_400 ? [Math.floor(seconds / 3600), "hour"] : [Math.floor(seconds / 86_400), "day"];
	return `${counted(count, unit)} ago`;
}
