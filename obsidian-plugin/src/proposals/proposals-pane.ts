/** Registers the proposals pane. */

import { Component } from "obsidian";
import type { PartContext } from "../parts";
import { PROPOSALS_VIEW } from "../views";
import { ProposalsView } from "./proposals-view";

export class ProposalsPane extends Component {
	constructor(private readonly context: PartContext) {
		super();
	}

	override onload(): void {
		const { plugin, connection, daemon } = this.context;
		plugin.registerView(PROPOSALS_VIEW, (leaf) => new ProposalsView(leaf, { bridge: connection, start: () => daemon.start() }));
		plugin.registerHoverLinkSource(PROPOSALS_VIEW, { display: `${plugin.manifest.name}: proposals`, defaultMod: true });
	}
}
