/** Edits `.mcpignore`, which the app itself does not show because its name begins with a dot. */

import { Modal, Setting, TextAreaComponent, type App } from "obsidian";
import { report } from "../report";

const FILE = ".mcpignore";

export class McpignoreModal extends Modal {
	constructor(app: App) {
		super(app);
		this.setTitle("Files hidden from agents");
		this.modalEl.addClass("vault-sidecar-mcpignore");
	}

	override onOpen(): void {
		const { adapter } = this.app.vault;
		this.contentEl.createEl("p", { text: "One pattern a line, as in .gitignore. Agents see neither names nor text of these files." });
		const area = new TextAreaComponent(this.contentEl).setPlaceholder("Private/\n*.secret.md").setDisabled(true);
		area.inputEl.addClass("vault-sidecar-mcpignore-text");
		void report(async () => {
			area.setValue((await adapter.exists(FILE)) ? await adapter.read(FILE) : "");
			area.setDisabled(false);
		});
		new Setting(this.contentEl).addButton((button) =>
			button
				.setButtonText("Save")
				.setCta()
				.onClick(() =>
					void report(async () => {
						// What could not be read must not be written over.
						if (!area.disabled) await adapter.write(FILE, area.getValue());
						this.close();
					}),
				),
		);
	}

	override onClose(): void {
		this.contentEl.empty();
	}
}
