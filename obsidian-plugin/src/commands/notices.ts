/** Notices about what agents do, as far as a person wants them. */

import { Component, Notice } from "obsidian";
import type { PartContext } from "../parts";

export class Notices extends Component {
	constructor(private readonly context: PartContext) {
		super();
	}

	override onload(): void {
		const { connection, settings } = this.context;
		this.register(
			connection.on("activity", ({ client, summary }) => {
				if (settings.get("notifyChanges")) new Notice(`${client}: ${summary}`);
			}),
		);
		this.register(
			connection.on("proposal", ({ state }) => {
				if (state === "waiting" && settings.get("notifyProposals")) new Notice("An agent proposes a change. Accept or reject it in the proposals pane.");
				if (state === "failed" && settings.get("notifyTrouble")) new Notice("An accepted proposal could not be written. See the proposals pane.");
			}),
		);
	}
}
