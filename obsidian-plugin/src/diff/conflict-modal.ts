/** Says which file keeps a change from being undone, and what stands there now. */

import { Modal, Setting, type App } from "obsidian";
import { openPlace } from "../opening/place";
import { report } from "../report";
import { hunkElement, hunksOfText } from "./hunk-element";

export interface Conflict {
	path: string;
	/** Unified diff; may be empty. */
	diff: string;
	message: string;
}

export class ConflictModal extends Modal {
	constructor(
		app: App,
		private readonly conflict: Conflict,
	) {
		super(app);
		this.setTitle("Not undone: the file was changed since");
	}

	override onOpen(): void {
		const { path, diff, message } = this.conflict;
		this.contentEl.createEl("p", { text: `${message} Nothing was changed.` });
		const hunks = hunksOfText(diff);
		if (hunks.length > 0) {
			this.contentEl.createEl("p", { text: "What differs from the text that the change left:" });
			const diffEl = this.contentEl.createDiv("vault-sidecar-diff");
			hunks.forEach((hunk) => diffEl.append(hunkElement(hunk)));
		}
		if (this.app.vault.getFileByPath(path) === null) return;
		new Setting(this.contentEl).addButton((button) =>
			button
				.setButtonText("Open the file")
				.setCta()
				.onClick(() => {
					this.close();
					void report(() => openPlace(this.app, { path }));
				}),
		);
	}

	override onClose(): void {
		this.contentEl.empty();
	}
}

/** The conflict that a refusal tells of; `null` when it names no file or shows nothing. */
export function conflictOf(data: unknown, message: string): Conflict | null {
	const { path, diff } = (data ?? {}) as { path?: unknown; diff?: unknown };
	return typeof path === "string" && typeof diff === "string" ? { path, diff, message } : null;
}
