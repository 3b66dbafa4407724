/** Every part of the plugin, one line each, and what a part is given. */

import type { App, Component, Plugin } from "obsidian";
import { ActivityPane } from "./activity/activity-pane";
import { BacklinksPane } from "./backlinks/backlinks-pane";
import { Commands } from "./commands/commands";
import { Notices } from "./commands/notices";
import { Terminal } from "./commands/terminal";
import type { Connection } from "./connection/connection";
import type { Daemon } from "./daemon/daemon";
import { LiveEditing } from "./live/live-editing";
import { ProposalsPane } from "./proposals/proposals-pane";
import { SettingsPane } from "./settings/settings-pane";
import type { SettingsStore } from "./settings/settings-store";
import { StatusBar } from "./status/status-bar";
import type { Unread } from "./status/unread";

export interface PartContext {
	app: App;
	/** For what only a plugin may register: views, commands, editor extensions. */
	plugin: Plugin;
	/** A `Bridge`, and the ways to connect anew. */
	connection: Connection;
	daemon: Daemon;
	settings: SettingsStore;
	/** The default home of daemons, where they say how to reach them. */
	home: string;
	unread: Unread;
}

export const PARTS: readonly ((context: PartContext) => Component)[] = [
	(context) => new StatusBar(context),
	(context) => new BacklinksPane(context),
	(context) => new ActivityPane(context),
	(context) => new ProposalsPane(context),
	(context) => new Commands(context),
	(context) => new Notices(context),
	(context) => new Terminal(context),
	(context) => new SettingsPane(context),
	(context) => new LiveEditing(context),
];
