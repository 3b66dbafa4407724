/** Plays a session of the built plugin with the real daemon: `node harness/run.mjs [FOLDER FOR SCREENSHOTS]`. */
import fs from "node:fs";
import { chromium } from "playwright-core";
import { findChromium } from "./browser.mjs";
import { Daemon, makeSandbox } from "./daemon.mjs";
import { STEPS } from "./steps/index.mjs";
import { serveSite } from "./site.mjs";

const MORE_NOTES = 2500;
const LONGEST_STEP = 60_000;
const LONGEST_END = 10_000;
const executablePath = findChromium();
if (executablePath === null) {
	console.log("Skipped: there is no Chromium here. Install it (apt-get install chromium) or name it in CHROMIUM.");
	process.exit(0);
}
const shots = process.argv[2] ?? null;
if (shots !== null) fs.mkdirSync(shots, { recursive: true });

const sandbox = makeSandbox(MORE_NOTES);
const daemon = new Daemon(sandbox);
const site = await serveSite(sandbox.environment);
// As root there is no user namespace to lock the browser into; it only loads our own page.
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
const world = { sandbox, daemon, site, browser, shots, window: null, numbers: {} };
const began = performance.now();
let failed = false;
try {
	for (const [name, step] of STEPS) {
		const start = performance.now();
		await within(LONGEST_STEP, step(world));
		console.log(`ok    ${name} (${Math.round(performance.now() - start)} ms)`);
	}
	console.log(JSON.stringify(world.numbers));
} catch (error) {
	failed = true;
	console.error(error);
	await within(LONGEST_END, world.window?.shoot(shots, "failed")).catch(() => undefined);
} finally {
	// A page that hangs answers nobody, not even who wants to close it.
	await within(LONGEST_END, browser.close()).catch(() => undefined);
	await within(LONGEST_END, daemon.stop()).catch(() => undefined);
	site.close();
	sandbox.remove();
}
console.log(`${failed ? "FAILED" : "passed"} in ${((performance.now() - began) / 1000).toFixed(1)} s`);
process.exit(failed ? 1 : 0);

async function within(milliseconds, work) {
	let timer;
	const late = new Promise((_resolve, reject) => {
		timer = setTimeout(() => reject(new Error(`not done after ${milliseconds} ms`)), milliseconds);
	});
	try {
		await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}
