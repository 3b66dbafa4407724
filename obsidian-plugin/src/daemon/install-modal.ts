/** Says how to install the daemon when its command is not found; installing is up to the person. */

import { Modal, Setting, type App } from "obsidian";

const INSTALL = "uv tool install vault-sidecar";

export class InstallModal extends Modal {
	constructor(
		app: App,
		private readonly entered: string,
	) {
		super(app);
		this.setTitle("The sidecar is not installed");
	}

	override onOpen(): void {
		const where = this.entered === "" ? "The command vault-sidecar was not found in the usual places." : `There is no program at ${this.entered}.`;
		this.contentEl.createEl("p", { text: `${where} Install it from a terminal, or enter its path in the settings of this plugin.` });
		this.contentEl.createEl("pre", { text: INSTALL });
		new Setting(this.contentEl).addButton((button) =>
			button
				.setButtonText("Copy the command")
				.setCta()
				.onClick(() => {
					void navigator.clipboard.writeText(INSTALL);
					this.close();
				}),
		);
	}

	override onClose(): void {
		this.contentEl.empty();
	}
}
