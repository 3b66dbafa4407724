/** Shows where the app and the daemon differ, and saves that as a note. */

import { Modal, Setting, type App } from "obsidian";
import type { ParityDifference, ParityReport } from "../connection/protocol";
import { openPlace } from "../opening/place";
import { report } from "../report";
import { counted } from "../words";

const SHOWN = 200;
const WORDS = { resolved: "link", unresolved: "unresolved link", tag: "tag" } as const;

export class ParityModal extends Modal {
	constructor(
		app: App,
		private readonly parity: ParityReport,
	) {
		super(app);
		this.setTitle("Parity with the app");
	}

	override onOpen(): void {
		const { files, total, differences } = this.parity;
		this.contentEl.createEl("p", { text: `${total === 0 ? "No differences" : counted(total, "difference")} in ${counted(files, "file")}.` });
		const list = this.contentEl.createEl("ul", { cls: "vault-sidecar-files" });
		for (const difference of differences.slice(0, SHOWN)) this.addRow(list, difference);
		if (total > SHOWN) this.contentEl.createEl("p", { text: `The note has all ${total}.` });
		new Setting(this.contentEl).addButton((button) => button.setButtonText("Save as note").onClick(() => void report(() => this.save())));
	}

	override onClose(): void {
		this.contentEl.empty();
	}

	private addRow(list: HTMLElement, { path, kind, what, app, sidecar }: ParityDifference): void {
		const row = list.createEl("li");
		const link = row.createEl("a", { text: path, href: "#" });
		link.addEventListener("click", (event) => {
			event.preventDefault();
			this.close();
			void report(() => openPlace(this.app, { path }));
		});
		row.appendText(`: ${WORDS[kind]} ${what}: ${app} in the app, ${sidecar} in the sidecar`);
	}

	private async save(): Promise<void> {
		const { vault } = this.app;
		const day = new Date().toISOString().slice(0, 10);
		const path = freePath(`Parity report ${day}`, (name) => vault.getAbstractFileByPath(name) !== null);
		await vault.create(path, this.parity.report);
		this.close();
		await openPlace(this.app, { path });
	}
}

/** The first of `name.md`, `name 1.md`, … that is not taken. */
export function freePath(name: string, isTaken: (path: string) => boolean): string {
	let path = `${name}.md`;
	for (let number = 1; isTaken(path); number++) path = `${name} ${number}.md`;
	return path;
}
