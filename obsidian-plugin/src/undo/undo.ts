/** Takes back what agents did: says first what would change, then asks. */

import { ConfirmationModal, Notice, type App } from "obsidian";
import { isPerson } from "../activity/person";
import { BridgeError, type Bridge } from "../connection/bridge";
import type { ActivityPage, Change, FileDiff, Undone } from "../connection/protocol";
import { ConflictModal, conflictOf } from "../diff/conflict-modal";
import { report } from "../report";
import { counted } from "../words";

/** What is to be undone: one change, all of a session, or all since a change. */
export type UndoTarget = { change: string } | { session: string } | { since: string };

const PAGE = 50;

/** The newest change of an agent that is neither undone nor an undo; `null` when there is none. */
export async function lastChange(bridge: Bridge): Promise<Change | null> {
	let before: string | null = null;
	do {
		const page: ActivityPage = await bridge.get<ActivityPage>("activity", { before, limit: PAGE });
		const found = page.changes.find(({ client, state, undone_by, undoes }) => !isPerson(client) && state === "done" && undone_by === null && undoes.length === 0);
		if (found !== undefined) return found;
		before = page.before;
	} while (before !== null);
	return null;
}

/** Ask the person, naming each file, then undo. A conflict is shown with its file and what differs there. Resolves when the question is open or there is none. */
export async function askToUndo(app: App, bridge: Bridge, target: UndoTarget, title: string): Promise<void> {
	const plan = await undo(app, bridge, target, "check");
	if (plan === null) return;
	const modal = new ConfirmationModal(app);
	modal.setTitle(title);
	modal.setContent(listOf(plan.files));
	modal.addButton((button) =>
		button
			.setButtonText("Undo")
			.setDestructive()
			.onClick(() => void report(async () => tellUndone(await undo(app, bridge, target, "apply")))),
	);
	modal.addCancelButton();
	modal.open();
}

/** Undo without asking, for a notice that offers it right after the change. */
export async function undoNow(app: App, bridge: Bridge, change: string): Promise<void> {
	await report(async () => tellUndone(await undo(app, bridge, { change }, "apply")));
}

/** One line for each file, with the lines that come and go. */
export function listOf(files: readonly FileDiff[]): DocumentFragment {
	return createFragment((fragment) => {
		const list = fragment.createEl("ul", { cls: "vault-sidecar-files" });
		for (const file of files) list.createEl("li", { text: lineOf(file) });
	});
}

function lineOf({ op, path, to, hunks }: FileDiff): string {
	const lines = hunks.flatMap((hunk) => hunk.lines);
	const count = (kind: string): number => lines.filter((line) => line.kind === kind).length;
	const counts = lines.length > 0 ? ` +${count("+")} −${count("-")}` : "";
	if (op === "move") return `${path} → ${to ?? ""}${counts}`;
	return `${path}${op === "trash" ? " (to the trash)" : ""}${op === "create" ? " (comes back)" : ""}${counts}`;
}

async function undo(app: App, bridge: Bridge, target: UndoTarget, mode: "check" | "apply"): Promise<Undone | null> {
	try {
		return await bridge.post<Undone>("activity/undo", { ...target, mode });
	} catch (error) {
		if (!(error instanceof BridgeError) || error.status !== 409) throw error;
		const conflict = conflictOf(error.data, error.message);
		if (conflict === null) new Notice(`Not undone: ${error.message}`);
		else new ConflictModal(app, conflict).open();
		return null;
	}
}

function tellUndone(undone: Undone | null): void {
	if (undone !== null) new Notice(`Undone in ${counted(undone.files.length, "file")}.`);
}
