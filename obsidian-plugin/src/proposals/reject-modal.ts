/** Asks why a proposal is rejected; the agent can read the answer. */

import { Modal, Setting, type App } from "obsidian";

export class RejectModal extends Modal {
	private reason = "";

	constructor(
		app: App,
		summary: string,
		private readonly onReject: (reason: string | null) => void,
	) {
		super(app);
		this.setTitle(`Reject: ${summary}`);
	}

	override onOpen(): void {
		new Setting(this.contentEl)
			.setName("Reason")
			.setDesc("The agent can read it. May be left empty.")
			.addText((text) => {
				text.onChange((reason) => (this.reason = reason));
				text.inputEl.addEventListener("keydown", (event) => {
					if (event.key === "Enter" && !event.isComposing) this.reject();
				});
			});
		new Setting(this.contentEl)
			.addButton((button) => button.setButtonText("Reject").setDestructive().onClick(() => this.reject()))
			.addButton((button) => button.setButtonText("Cancel").onClick(() => this.close()));
	}

	override onClose(): void {
		this.contentEl.empty();
	}

	private reject(): void {
		this.close();
		this.onReject(this.reason.trim() || null);
	}
}
