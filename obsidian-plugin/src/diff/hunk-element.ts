/** Draws what differs in a file, line by line. Text of notes goes in as text only. */

import type { FileDiff, Hunk } from "../connection/protocol";
import { counted } from "../words";

const CLASSES = { " ": "vault-sidecar-kept", "+": "vault-sidecar-added", "-": "vault-sidecar-removed" } as const;
const SPOKEN = { " ": "", "+": "Added: ", "-": "Removed: " } as const;

/** The lines of one hunk, each with its sign. */
export function hunkElement({ lines }: Pick<Hunk, "lines">): HTMLElement {
	const el = createDiv("vault-sidecar-hunk");
	for (const { kind, text } of lines) {
		const line = el.createDiv({ cls: `vault-sidecar-line ${CLASSES[kind]}`, attr: { "aria-label": SPOKEN[kind] + text } });
		line.createSpan({ cls: "vault-sidecar-sign", text: kind === "-" ? "−" : kind });
		line.createSpan({ cls: "vault-sidecar-line-text", text });
	}
	return el;
}

/** The hunks of a unified diff, as refusals of the daemon carry it. */
export function hunksOfText(diff: string): Pick<Hunk, "lines">[] {
	const hunks: Pick<Hunk, "lines">[] = [];
	for (const line of diff.split("\n")) {
		const kind = line.charAt(0);
		if (line.startsWith("@@")) hunks.push({ lines: [] });
		else if (kind === " " || kind === "+" || kind === "-") hunks.at(-1)?.lines.push({ kind, text: line.slice(1) });
	}
	return hunks;
}

/** How many lines a diff adds and removes. */
export function countsOf({ hunks }: Pick<FileDiff, "hunks">): { added: number; removed: number } {
	const lines = hunks.flatMap((hunk) => hunk.lines);
	return { added: lines.filter(({ kind }) => kind === "+").length, removed: lines.filter(({ kind }) => kind === "-").length };
}

/** Append `+n −m`; nothing where no line changed. */
export function addCounts(el: HTMLElement, { added, removed }: { added: number; removed: number }): void {
	if (added === 0 && removed === 0) return;
	const counts = el.createSpan("vault-sidecar-counts");
	counts.createSpan({ cls: "vault-sidecar-plus", text: `+${added}` });
	counts.appendText(" ");
	counts.createSpan({ cls: "vault-sidecar-minus", text: `−${removed}` });
}

/** What to say of a file's diff beside its hunks; `null` when the hunks say all. */
export function remarkOn({ op, to, binary, more, hunks }: FileDiff): string | null {
	if (binary) return "Not shown: this is no text, or its old bytes are no longer kept.";
	if (more > 0) return `${counted(more, "more line")}.`;
	if (hunks.length > 0) return null;
	if (op === "move") return `Moved to ${to ?? "another place"}; its text stays.`;
	return op === "trash" ? "Moved to the trash." : "No line differs.";
}
