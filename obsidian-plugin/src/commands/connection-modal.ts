/** Says how the daemon is reached and where the token is, for a copy of the app that needs both by hand. */

import { Modal, Notice, Setting, type App } from "obsidian";
import { endpointFile, type Endpoint } from "../connection/discovery";
import { report } from "../report";

const COMMAND = "vault-sidecar plugin token";

export class ConnectionModal extends Modal {
	/** `home` is where daemons publish themselves when nothing else is said. */
	constructor(
		app: App,
		private readonly endpoint: Endpoint | null,
		private readonly home: string,
	) {
		super(app);
		this.setTitle("How the sidecar is reached");
	}

	override onOpen(): void {
		const { endpoint, contentEl } = this;
		const file = endpointFile(endpoint?.home ?? this.home);
		if (endpoint === null) contentEl.createEl("p", { text: "The sidecar is not connected." });
		else this.addRow("Port", String(endpoint.port), () => String(endpoint.port));
		if (endpoint !== null) this.addRow("Token", "Opens what this plugin may do, and only that. New at each start of the sidecar.", () => endpoint.token);
		const where = endpoint !== null && endpoint.home === null ? "Both were entered by hand in the settings." : `A running sidecar writes both to ${file}.`;
		contentEl.createEl("p", { text: `${where} In a terminal this command shows them:` });
		contentEl.createEl("pre", { text: COMMAND });
	}

	override onClose(): void {
		this.contentEl.empty();
	}

	private addRow(name: string, desc: string, text: () => string): void {
		new Setting(this.contentEl)
			.setName(name)
			.setDesc(desc)
			.addButton((button) =>
				button.setButtonText(`Copy ${name.toLowerCase()}`).onClick(() =>
					void report(async () => {
						await navigator.clipboard.writeText(text());
						new Notice("Copied.");
					}),
				),
			);
	}
}
