/** Finds Chromium: named by CHROMIUM, or where systems put it; else takes it from the system's packages where that is allowed. */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const ON_MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";

/** The path of the browser; `null` where there is none and none can be had. */
export function findChromium() {
	const named = process.env.CHROMIUM;
	if (named) return fs.existsSync(named) ? named : null;
	return onThisMachine() ?? (installed() ? onThisMachine() : null);
}

function onThisMachine() {
	const folders = (process.env.PATH ?? "").split(path.delimiter);
	const candidates = [...folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name))), ON_MAC];
	return candidates.find((file) => fs.existsSync(file)) ?? null;
}

/** Only root may install, and only where there is apt. */
function installed() {
	if (process.getuid?.() !== 0 || !fs.existsSync("/usr/bin/apt-get")) return false;
	try {
		const environment = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
		for (const args of [["update", "-qq"], ["install", "-qq", "-y", "--no-install-recommends", "chromium"]]) execFileSync("apt-get", args, { stdio: "ignore", env: environment });
		return true;
	} catch {
		return false;
	}
}
