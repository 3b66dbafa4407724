/** What a person may choose, with what holds until they do. */

/** Kept in the plugin's `data.json`, which may be synced to other machines. */
export interface SharedSettings {
	showStatusBar: boolean;
	showUnread: boolean;
	showWaiting: boolean;
	showUnlinked: boolean;
	showCanvas: boolean;
	showHidden: boolean;
	notifyChanges: boolean;
	notifyProposals: boolean;
	notifyTrouble: boolean;
	/** The name of the secret in Obsidian's keychain, never the token itself. */
	tokenSecret: string;
}

/** Kept on this machine only. */
export interface MachineSettings {
	/** Path of the command `vault-sidecar`; empty: look for it where installers put it. */
	command: string;
	/** Port by hand; 0: from the file that the daemon writes. */
	port: number;
	startDaemon: boolean;
}

export type Settings = SharedSettings & MachineSettings;

export const SHARED_DEFAULTS: SharedSettings = {
	showStatusBar: true,
	showUnread: true,
	showWaiting: true,
	showUnlinked: true,
	showCanvas: true,
	showHidden: true,
	notifyChanges: false,
	notifyProposals: true,
	notifyTrouble: true,
	tokenSecret: "",
};

export const MACHINE_DEFAULTS: MachineSettings = { command: "", port: 0, startDaemon: false };

/** Take from a stored value what has the type it should have. */
export function withStored<T extends object>(defaults: T, stored: unknown): T {
	const known = typeof stored === "object" && stored !== null ? Object.entries(stored) : [];
	const fitting = known.filter(([key, value]) => typeof value === typeof (defaults as Record<string, unknown>)[key]);
	return { ...defaults, ...(Object.fromEntries(fitting) as Partial<T>) };
}
