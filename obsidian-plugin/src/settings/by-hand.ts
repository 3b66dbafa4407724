/** The daemon as entered by hand, for an app that may not read files outside the vault. */

import type { App } from "obsidian";
import type { Endpoint } from "../connection/discovery";
import type { SettingsStore } from "./settings-store";

export function endpointByHand(app: App, settings: SettingsStore): Endpoint[] {
	const port = settings.get("port");
	const secret = settings.get("tokenSecret");
	const token = secret === "" ? null : app.secretStorage.getSecret(secret);
	return port > 0 && token ? [{ port, token, pid: null, home: null, vaults: null }] : [];
}
