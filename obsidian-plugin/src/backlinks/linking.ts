/** Turns unlinked mentions into links: one change, which one undo takes back. */

import { ConfirmationModal, Notice, type App } from "obsidian";
import type { Bridge } from "../connection/bridge";
import type { LinkedMentions } from "../connection/protocol";
import { report } from "../report";
import { undoNow } from "../undo/undo";
import { counted } from "../words";

/** Link one mention of the note. */
export async function linkOne(app: App, bridge: Bridge, path: string, id: string): Promise<void> {
	await report(async () => tell(app, bridge, await link(bridge, path, [id], false)));
}

/** Say which notes would change, then ask, then link. */
export async function linkMany(app: App, bridge: Bridge, path: string, ids: readonly string[]): Promise<void> {
	await report(async () => {
		const plan = await link(bridge, path, ids, true);
		const modal = new ConfirmationModal(app);
		modal.setTitle(`Link ${counted(plan.linked, "mention")} in ${counted(plan.files.length, "file")}?`);
		modal.setContent(
			createFragment((fragment) => {
				const list = fragment.createEl("ul", { cls: "vault-sidecar-files" });
				for (const file of plan.files) list.createEl("li", { text: file });
			}),
		);
		modal.addButton((button) =>
			button
				.setButtonText("Link")
				.setCta()
				.onClick(() => void report(async () => tell(app, bridge, await link(bridge, path, ids, false)))),
		);
		modal.addCancelButton();
		modal.open();
	});
}

function link(bridge: Bridge, path: string, mentions: readonly string[], dry_run: boolean): Promise<LinkedMentions> {
	return bridge.post<LinkedMentions>("link_mentions", { path, mentions, dry_run });
}

function tell(app: App, bridge: Bridge, { change, linked }: LinkedMentions): void {
	if (change === null) {
		new Notice("Nothing was linked: the text has changed since.");
		return;
	}
	const notice = new Notice(
		createFragment((fragment) => {
			fragment.appendText(`Linked ${counted(linked, "mention")}. `);
			fragment.createEl("button", { text: "Undo" }).addEventListener("click", () => {
				notice.hide();
				void undoNow(app, bridge, change);
			});
		}),
		10_000,
	);
}
