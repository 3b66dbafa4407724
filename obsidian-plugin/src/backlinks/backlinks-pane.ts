/** Registers the backlinks pane and the commands that open it. */

import { Component } from "obsidian";
import type { PartContext } from "../parts";
import { report } from "../report";
import { BACKLINKS_VIEW } from "../views";
import { BacklinksView } from "./backlinks-view";

export class BacklinksPane extends Component {
	constructor(private readonly context: PartContext) {
		super();
	}

	override onload(): void {
		const { app, plugin, connection, daemon, settings } = this.context;
		plugin.registerView(BACKLINKS_VIEW, (leaf) => new BacklinksView(leaf, { bridge: connection, settings, start: () => daemon.start() }));
		plugin.registerHoverLinkSource(BACKLINKS_VIEW, { display: `${plugin.manifest.name}: backlinks`, defaultMod: true });
		plugin.addCommand({
			id: "open-backlinks-of-note",
			name: "Open backlinks for the current note",
			checkCallback: (isChecking) => {
				const file = app.workspace.getActiveFile();
				if (file !== null && !isChecking) {
					const state = { pinned: file.path };
					void report(() => app.workspace.getLeaf("split").setViewState({ type: BACKLINKS_VIEW, active: true, state }));
				}
				return file !== null;
			},
		});
	}
}
