/** The menu of the status bar item. */

import { Menu } from "obsidian";
import { report } from "../report";
import { openPane } from "../opening/pane";
import type { PartContext } from "../parts";
import { openSettings } from "../settings/open-settings";
import { ACTIVITY_VIEW, BACKLINKS_VIEW, PROPOSALS_VIEW } from "../views";
import { appearance, waiting } from "./appearance";
import { LogModal } from "./log-modal";

export function statusMenu(context: PartContext): Menu {
	const { app, connection, daemon, plugin, unread } = context;
	const { state } = connection;
	const isOnline = state.kind === "online";
	const proposals = waiting(state);
	const menu = new Menu();
	const add = (title: string, icon: string, action: () => unknown): void => {
		menu.addItem((item) => item.setTitle(title).setIcon(icon).onClick(() => void report(action)));
	};
	menu.addItem((item) => item.setTitle(appearance(state).sentence).setIcon(appearance(state).icon).setDisabled(true));
	menu.addSeparator();
	if (state.kind === "online") {
		const isPaused = state.status.state === "paused";
		add(isPaused ? "Resume indexing" : "Pause indexing", isPaused ? "play" : "pause", async () => {
			await connection.post("pause", { paused: !isPaused });
			await connection.refreshStatus();
		});
	}
	add("Show backlinks", "links-coming-in", () => openPane(app, BACKLINKS_VIEW));
	add(unread.count > 0 ? `Show agent activity (${unread.count} unread)` : "Show agent activity", "history", () => openPane(app, ACTIVITY_VIEW));
	add(proposals > 0 ? `Show proposals (${proposals} waiting)` : "Show proposals", "clipboard-check", () => openPane(app, PROPOSALS_VIEW));
	menu.addSeparator();
	if (isOnline) add("Open log", "scroll-text", () => new LogModal(app, connection).open());
	else if (state.kind !== "starting") add("Reconnect", "refresh-cw", () => connection.reconnect());
	if (state.kind === "wrong-vault") add("Serve this vault too", "folder-plus", () => daemon.start());
	if (state.kind === "not-running") add("Start", "play", () => daemon.start());
	if (isOnline) {
		add("Restart", "rotate-ccw", () => daemon.restart());
		add("Stop", "square", () => daemon.stop());
	}
	add("Settings", "settings", () => openSettings(app, plugin.manifest.id));
	return menu;
}
