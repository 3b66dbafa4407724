/** Finds the command `vault-sidecar`. An app started from a dock or menu does not have the shell's PATH, so installers' folders are looked through. */

import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

export interface Machine {
	platform: string;
	environment: NodeJS.ProcessEnv;
	home: string;
	isExecutable: (path: string) => boolean;
}

/** Return the path of the command: the one that was entered if any, else the first that is there. */
export function findCommand(entered: string, machine: Machine): string | null {
	if (entered !== "") return machine.isExecutable(entered) ? entered : null;
	const name = machine.platform === "win32" ? "vault-sidecar.exe" : "vault-sidecar";
	return foldersToLookIn(machine).map((folder) => join(folder, name)).find(machine.isExecutable) ?? null;
}

export function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return statSync(path).isFile();
	} catch {
		return false;
	}
}

function foldersToLookIn({ platform, environment, home }: Machine): string[] {
	const onPath = (environment["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
	const ofUv = [environment["UV_TOOL_BIN_DIR"], environment["XDG_BIN_HOME"], environment["PIPX_BIN_DIR"]].filter((folder) => folder !== undefined);
	if (platform === "win32") {
		const roaming = environment["APPDATA"] ?? join(home, "AppData", "Roaming");
		return [...onPath, ...ofUv, join(home, ".local", "bin"), join(roaming, "uv", "tools", "vault-sidecar", "Scripts"), join(home, "pipx", "venvs", "vault-sidecar", "Scripts")];
	}
	const shared = platform === "darwin" ? ["/opt/homebrew/bin", "/usr/local/bin"] : ["/usr/local/bin", "/usr/bin"];
	return [...onPath, ...ofUv, join(home, ".local", "bin"), join(home, ".local", "share", "uv", "tools", "vault-sidecar", "bin"), ...shared];
}
