/** Composes the plugin: nothing else constructs its parts. */

import { FileSystemAdapter, Plugin } from "obsidian";
import { Connection } from "./connection/connection";
import { defaultHome, publishedEndpoints, vaultKey, type Endpoint } from "./connection/discovery";
import { watchEndpoints } from "./connection/watching";
import { Daemon } from "./daemon/daemon";
import { openPane } from "./opening/pane";
import { PARTS } from "./parts";
import { endpointByHand } from "./settings/by-hand";
import { SettingsStore } from "./settings/settings-store";
import { Unread } from "./status/unread";
import { BACKLINKS_VIEW } from "./views";

export class VaultSidecarPlugin extends Plugin {
	private store: SettingsStore | null = null;

	override async onload(): Promise<void> {
		const { app } = this;
		const settings = (this.store = new SettingsStore(this));
		await settings.load();
		const home = defaultHome();
		const folder = app.vault.adapter instanceof FileSystemAdapter ? app.vault.adapter.getBasePath() : "";
		const endpoints = (): Endpoint[] => [...publishedEndpoints(home), ...endpointByHand(app, settings)];
		const connection = new Connection({ vault: vaultKey(folder), endpoints, watch: (onChange) => watchEndpoints(home, onChange) });
		const daemon = new Daemon({ app, connection, settings, home, folder });
		const context = { app, plugin: this, connection, daemon, settings, home, unread: new Unread() };
		PARTS.forEach((part) => this.addChild(part(context)));
		this.register(settings.on(["port", "tokenSecret"], () => connection.reconnect()));
		app.workspace.onLayoutReady(() => {
			this.addChild(connection);
			this.addChild(daemon);
		});
	}

	override onUserEnable(): void {
		void openPane(this.app, BACKLINKS_VIEW);
	}

	override async onExternalSettingsChange(): Promise<void> {
		await this.store?.load();
	}
}
