/** What of a proposal the person leaves out, and what is sent when they accept the rest. */

import type { ChosenFile, Proposal, ProposedFile } from "../connection/protocol";

/** Keys of the parts that are left out. */
export type LeftOut = ReadonlySet<string>;

/** The parts of a file that can be chosen one by one: its hunks, or the file itself. */
export function partsOf(file: ProposedFile): string[] {
	return canChooseHunks(file) ? file.hunks.map((hunk) => partKey(file.path, hunk.id ?? "")) : [partKey(file.path, "")];
}

export function partKey(path: string, hunk: string): string {
	return JSON.stringify([path, hunk]);
}

export function canChooseHunks(file: ProposedFile): boolean {
	return !file.whole && file.hunks.length > 0;
}

/** How many parts there are, and how many of them are wanted. */
export function countOf({ files }: Proposal, leftOut: LeftOut): { chosen: number; total: number } {
	const parts = files.flatMap(partsOf);
	return { chosen: parts.filter((part) => !leftOut.has(part)).length, total: parts.length };
}

/** `null` when everything is wanted. */
export function chosenFiles({ files }: Proposal, leftOut: LeftOut): ChosenFile[] | null {
	if (!files.flatMap(partsOf).some((part) => leftOut.has(part))) return null;
	return files.flatMap((file): ChosenFile[] => {
		const wanted = partsOf(file).filter((part) => !leftOut.has(part));
		if (wanted.length === 0) return [];
		const ids = file.hunks.map((hunk) => hunk.id ?? "").filter((id) => !leftOut.has(partKey(file.path, id)));
		return [{ path: file.path, hunks: canChooseHunks(file) ? ids : null }];
	});
}

/** Take these parts out when all of them are in, else put all of them in. */
export function toggled(leftOut: LeftOut, parts: readonly string[]): LeftOut {
	const next = new Set(leftOut);
	const areAllIn = parts.every((part) => !leftOut.has(part));
	for (const part of parts) {
		if (areAllIn) next.add(part);
		else next.delete(part);
	}
	return next;
}
