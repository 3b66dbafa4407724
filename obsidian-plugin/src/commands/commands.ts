/** The commands of the palette. */

import { Component, Notice, type App } from "obsidian";
import type { Bridge } from "../connection/bridge";
import type { AgentConnection } from "../connection/protocol";
import { openPane } from "../opening/pane";
import { checkParity } from "../parity/parity";
import type { PartContext } from "../parts";
import { report } from "../report";
import { LogModal } from "../status/log-modal";
import { askToUndo, lastChange } from "../undo/undo";
import { ACTIVITY_VIEW, BACKLINKS_VIEW, PROPOSALS_VIEW } from "../views";
import { activeCanvas, refreshMap } from "./canvas-map";
import { ConnectionModal } from "./connection-modal";

export class Commands extends Component {
	constructor(private readonly context: PartContext) {
		super();
	}

	override onload(): void {
		const { app, connection, daemon, home } = this.context;
		this.add("show-backlinks", "Show backlinks", () => openPane(app, BACKLINKS_VIEW));
		this.add("show-activity", "Show agent activity", () => openPane(app, ACTIVITY_VIEW));
		this.add("show-proposals", "Show proposals", () => openPane(app, PROPOSALS_VIEW));
		this.add("undo-last-change", "Undo last agent change", () => undoLast(app, connection));
		this.add("start", "Start", () => daemon.start());
		this.add("stop", "Stop", () => daemon.stop());
		this.add("restart", "Restart", () => daemon.restart());
		this.add("reconnect", "Reconnect", () => connection.reconnect());
		this.add("rebuild-index", "Rebuild index", () => rebuild(connection));
		this.add("open-log", "Open log", () => new LogModal(app, connection).open());
		this.add("check-parity", "Check parity with the app", () => checkParity(app, connection));
		this.add("copy-connection", "Copy connection settings for an agent", () => copyConnection(connection));
		this.add("show-connection", "Show port and token of the connection", () => new ConnectionModal(app, connection.endpoint, home).open());
		this.context.plugin.addCommand({
			id: "refresh-canvas-map",
			name: "Refresh this canvas map",
			checkCallback: (isChecking) => {
				const canvas = activeCanvas(app);
				if (canvas !== null && !isChecking) void report(() => refreshMap(connection, canvas.path));
				return canvas !== null;
			},
		});
	}

	private add(id: string, name: string, action: () => unknown): void {
		this.context.plugin.addCommand({ id, name, callback: () => void report(action) });
	}
}

async function undoLast(app: App, bridge: Bridge): Promise<void> {
	const change = await lastChange(bridge);
	if (change === null) new Notice("There is no agent change to undo.");
	else await askToUndo(app, bridge, { change: change.id }, `Undo: ${change.summary}`);
}

async function rebuild(bridge: Bridge): Promise<void> {
	await bridge.post("rebuild");
	new Notice("The index is being rebuilt.");
}

async function copyConnection(bridge: Bridge): Promise<void> {
	const { command, args } = await bridge.get<AgentConnection>("connection");
	await navigator.clipboard.writeText(JSON.stringify({ mcpServers: { "vault-sidecar": { command, args } } }, null, 2));
	new Notice("Copied. Paste it into the settings of the agent.");
}
