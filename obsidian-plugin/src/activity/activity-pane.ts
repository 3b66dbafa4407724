/** Registers the activity pane and keeps count of what was not looked at. */

import { Component } from "obsidian";
import type { PartContext } from "../parts";
import { ACTIVITY_VIEW } from "../views";
import { ActivityView } from "./activity-view";
import { Seen } from "./seen";

export class ActivityPane extends Component {
	constructor(private readonly context: PartContext) {
		super();
	}

	override onload(): void {
		const { app, plugin, connection, daemon, unread } = this.context;
		const seen = this.addChild(new Seen(app, connection, unread));
		plugin.registerView(ACTIVITY_VIEW, (leaf) => new ActivityView(leaf, { bridge: connection, seen, unread, start: () => daemon.start() }));
		plugin.registerHoverLinkSource(ACTIVITY_VIEW, { display: `${plugin.manifest.name}: activity`, defaultMod: true });
	}
}
