/** Tells the daemon what is open and selected, a moment after it changed, and only then. */

import { Component, type App } from "obsidian";
import type { Bridge } from "../connection/bridge";
import { appContext } from "./app-context";

const MOMENT = 300;

export class ContextReporter extends Component {
	private told = "";
	private timer = 0;
	private isLooking = false;
	private mustLookAgain = false;

	constructor(
		private readonly app: App,
		private readonly bridge: Bridge,
	) {
		super();
	}

	override onload(): void {
		const { workspace, vault } = this.app;
		const look = (): void => this.lookSoon();
		this.registerEvent(workspace.on("active-leaf-change", look));
		this.registerEvent(workspace.on("layout-change", look));
		this.registerEvent(workspace.on("file-open", look));
		this.registerEvent(workspace.on("editor-change", look));
		this.registerEvent(vault.on("modify", look));
		this.registerEvent(vault.on("rename", look));
		this.registerEvent(vault.on("delete", look));
		// A daemon that is new, or that missed something, knows nothing of us.
		this.register(this.bridge.on("reset", () => void this.tellAnew()));
		this.register(() => window.clearTimeout(this.timer));
	}

	/** Something may have changed. The first call sets the time: who types on and on must not keep the daemon from knowing. */
	lookSoon(): void {
		if (this.timer !== 0 || this.bridge.state.kind !== "online") return;
		this.timer = window.setTimeout(() => {
			this.timer = 0;
			void this.look();
		}, MOMENT);
	}

	private async tellAnew(): Promise<void> {
		this.told = "";
		await this.look();
	}

	private async look(): Promise<void> {
		this.mustLookAgain = this.isLooking;
		if (this.isLooking) return;
		this.isLooking = true;
		try {
			const context = await appContext(this.app);
			const said = JSON.stringify(context);
			if (said === this.told) return;
			this.told = said;
			await this.bridge.post("context", { client_id: this.bridge.clientId, ...context });
		} catch {
			this.told = ""; // the connection says itself what is wrong with it
		} finally {
			this.isLooking = false;
			if (this.mustLookAgain) void this.look();
		}
	}
}
