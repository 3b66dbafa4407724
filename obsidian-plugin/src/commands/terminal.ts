/** Answers to the app's command line: `vault-sidecar` and its actions. */

import { Component } from "obsidian";
import { postParity } from "../parity/parity";
import type { PartContext } from "../parts";
import { sentenceOf } from "../report";
import { tooltip } from "../status/appearance";

export class Terminal extends Component {
	constructor(private readonly context: PartContext) {
		super();
	}

	override onload(): void {
		const { app, plugin, connection, unread } = this.context;
		const add = (action: string, description: string, answer: () => string | Promise<string>): void => {
			plugin.registerCliHandler(action === "" ? "vault-sidecar" : `vault-sidecar:${action}`, description, null, async () => {
				try {
					return await answer();
				} catch (error) {
					return sentenceOf(error);
				}
			});
		};
		add("", "Say how the sidecar of this vault is.", () => tooltip(connection.state, unread.count, Date.now()));
		add("status", "The same as JSON.", () => JSON.stringify(connection.state, null, 2));
		add("parity", "Compare links and tags of the app with the sidecar's.", async () => (await postParity(app, connection)).report);
		add("reconnect", "Connect to the sidecar again.", () => {
			connection.reconnect();
			return "Connecting.";
		});
	}
}
