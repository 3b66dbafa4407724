/** A vault that may be written to, and what is known of the daemon beside it, which has a state folder of its own. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const ROOT = path.resolve(import.meta.dirname, "../..");
const CONFIG = `[access]\nask = ["Meetings/"]\n`;

/** `pages` more notes make the first index take long enough to be seen. */
export function makeSandbox(pages) {
	const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "sidecar-harness-")));
	const vault = path.join(folder, "Quarry Lane");
	const home = path.join(folder, "home");
	// A linked folder would be copied as the link, and the play would write through it.
	fs.cpSync(fs.realpathSync(path.join(ROOT, "examples-vault")), vault, { recursive: true, dereference: true });
	fs.mkdirSync(path.join(folder, "Other vault/.obsidian"), { recursive: true });
	fs.mkdirSync(home, { recursive: true, mode: 0o700 });
	fs.writeFileSync(path.join(home, "config.toml"), CONFIG);
	fs.mkdirSync(path.join(vault, "Old minutes"));
	for (let number = 0; number < pages; number++) {
		fs.writeFileSync(path.join(vault, "Old minutes", `Minutes ${number}.md`), `# Minutes ${number}\n\n${`Plot ${number} was dug over and its path was swept. `.repeat(20)}\n`);
	}
	const bin = path.join(ROOT, ".venv/bin");
	const environment = {
		PATH: `${bin}:${process.env.PATH}`,
		HOME: folder,
		LANG: "C.UTF-8",
		VAULT_SIDECAR_HOME: home,
		VAULT_SIDECAR_DEFAULT_HOME: home,
		// Away from the port of a daemon that the person at this machine may have.
		VAULT_SIDECAR_SERVE_PORT: String(28_000 + (process.pid % 20_000)),
	};
	return { folder, vault, otherVault: path.join(folder, "Other vault"), home, environment, remove: () => fs.rmSync(folder, { recursive: true, force: true }) };
}

export class Daemon {
	#sandbox;
	#child = null;

	constructor(sandbox) {
		this.#sandbox = sandbox;
	}

	get endpointFile() {
		return path.join(this.#sandbox.home, "run/endpoint.json");
	}

	get endpoint() {
		return JSON.parse(fs.readFileSync(this.endpointFile, "utf8"));
	}

	get token() {
		return fs.readFileSync(path.join(this.#sandbox.home, "run/http-token"), "utf8").trim();
	}

	/** Start the daemon as a person does in a terminal; returns when it published itself. */
	async startFromTerminal() {
		const { vault, environment } = this.#sandbox;
		this.#child = spawn("vault-sidecar", ["serve", vault], { stdio: "ignore", env: environment });
		while (!fs.existsSync(this.endpointFile)) await sleep(5);
	}

	/** End the daemon without warning, as a crash does. */
	async kill() {
		const { pid } = this.endpoint;
		process.kill(pid, "SIGKILL");
		while (isAlive(pid)) await sleep(10);
	}

	async stop() {
		if (!fs.existsSync(this.endpointFile)) {
			this.#child?.kill();
			return;
		}
		const { pid } = this.endpoint;
		if (!isAlive(pid)) return;
		process.kill(pid, "SIGTERM");
		for (let left = 500; left > 0 && isAlive(pid); left--) await sleep(20);
		if (isAlive(pid)) process.kill(pid, "SIGKILL");
	}
}

function isAlive(pid) {
	try {
		process.kill(pid, 0);
		return !isZombie(pid);
	} catch {
		return false;
	}
}

function isZombie(pid) {
	try {
		return /\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, "utf8"));
	} catch {
		return false;
	}
}
