/** Starts, stops and restarts the daemon that a person has installed; it is never installed from here. */

import { spawn } from "node:child_process";
import { homedir } from "node:os";
import { Component, Notice, type App } from "obsidian";
import type { ConnectionState } from "../connection/bridge";
import type { Connection } from "../connection/connection";
import { lastLogLine } from "../connection/discovery";
import type { SettingsStore } from "../settings/settings-store";
import { findCommand, isExecutable } from "./command";
import { InstallModal } from "./install-modal";

export interface DaemonParams {
	app: App;
	connection: Connection;
	settings: SettingsStore;
	/** The default home of daemons, where their log is. */
	home: string;
	/** The vault's folder. */
	folder: string;
	/** Run a command on its own; `onFailure` hears that it could not be run or ended badly. */
	launch?: (command: string, args: string[], onFailure: (reason: string) => void) => void;
	find?: (entered: string) => string | null;
}

const START_PATIENCE = 10_000;
const STOP_PATIENCE = 30_000;

export class Daemon extends Component {
	constructor(private readonly params: DaemonParams) {
		super();
	}

	override onload(): void {
		if (!this.params.settings.get("startDaemon")) return;
		const { connection } = this.params;
		// Only the first answer counts: a daemon that is stopped later stays stopped.
		const stop = connection.on("state", ({ kind }) => {
			if (kind === "connecting") return;
			stop();
			if (kind === "not-running") void this.start();
		});
		this.register(stop);
	}

	/** Start the daemon with this vault, or let the one that runs serve this vault too. */
	async start(): Promise<void> {
		const { app, connection, settings, folder, find = findHere, launch = launchDetached } = this.params;
		if (connection.state.kind === "wrong-vault" && (await connection.serveHere(folder))) return;
		const command = find(settings.get("command"));
		if (command === null) {
			new InstallModal(app, settings.get("command")).open();
			return;
		}
		let reason: string | null = null;
		const outcome = this.stateOnce(({ kind }) => kind !== "starting" && kind !== "connecting", START_PATIENCE);
		connection.starting(true);
		launch(command, ["serve", folder], (why) => {
			reason = why;
			connection.starting(false);
		});
		const state = await outcome;
		if (state === null) connection.starting(false);
		if (state?.kind !== "online") this.say(reason);
	}

	async stop(): Promise<void> {
		const gone = this.stateOnce(({ kind }) => kind !== "online", STOP_PATIENCE);
		await this.params.connection.post("stop");
		await gone;
	}

	async restart(): Promise<void> {
		await this.stop();
		await this.start();
	}

	private say(reason: string | null): void {
		const line = reason ?? lastLogLine(this.params.home) ?? "It wrote no log.";
		if (this.params.settings.get("notifyTrouble")) new Notice(`The sidecar did not start. ${line}`);
	}

	/** Wait for a state; `null` when it does not come in time. */
	private stateOnce(isWanted: (state: ConnectionState) => boolean, patience: number): Promise<ConnectionState | null> {
		return new Promise((resolve) => {
			const end = (state: ConnectionState | null): void => {
				stop();
				window.clearTimeout(timer);
				resolve(state);
			};
			const stop = this.params.connection.on("state", (state) => {
				if (isWanted(state)) end(state);
			});
			const timer = window.setTimeout(() => end(null), patience);
		});
	}
}

function findHere(entered: string): string | null {
	return findCommand(entered, { platform: process.platform, environment: process.env, home: homedir(), isExecutable });
}

function launchDetached(command: string, args: string[], onFailure: (reason: string) => void): void {
	const child = spawn(command, args, { detached: true, stdio: "ignore", shell: false, windowsHide: true });
	child.on("error", (error) => onFailure(error.message));
	child.on("exit", (code) => {
		if (code !== 0) onFailure(`The command ended with code ${code ?? "unknown"}.`);
	});
	child.unref();
}
