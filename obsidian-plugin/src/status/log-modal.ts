/** Shows the last lines of the daemon's log, with a filter. */

import { Modal, SearchComponent, type App } from "obsidian";
import { report } from "../report";
import type { Bridge } from "../connection/bridge";

const LINES = 500;

export class LogModal extends Modal {
	private lines: string[] = [];
	private filter = "";

	constructor(
		app: App,
		private readonly bridge: Bridge,
	) {
		super(app);
		this.setTitle("Log of the sidecar");
		this.modalEl.addClass("vault-sidecar-log");
	}

	override onOpen(): void {
		const search = new SearchComponent(this.contentEl).setPlaceholder("Filter");
		const linesEl = this.contentEl.createEl("pre");
		const render = (): void => {
			const wanted = this.lines.filter((line) => line.toLowerCase().includes(this.filter));
			linesEl.setText(wanted.length > 0 ? wanted.join("\n") : "No lines.");
		};
		search.onChange((text) => {
			this.filter = text.toLowerCase();
			render();
		});
		void report(async () => {
			this.lines = (await this.bridge.get<{ lines: string[] }>("log", { lines: LINES })).lines;
			render();
			linesEl.scrollTop = linesEl.scrollHeight;
		});
	}

	override onClose(): void {
		this.contentEl.empty();
	}
}
