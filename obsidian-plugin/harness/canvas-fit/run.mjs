/** Shows canvases of our tools in an independent reader, and fails where text does not fit its card: `node harness/canvas-fit/run.mjs [--list]`. */
import { build } from "esbuild";
import fs from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";
import { findChromium } from "../browser.mjs";
import { Daemon, makeSandbox } from "../daemon.mjs";
import { drawBoards } from "./boards.mjs";

const HERE = import.meta.dirname;
/** Rounded parts of a pixel. */
const BEARABLE = 1;
const CONTROL = { nodes: [{ id: "0123456789abcdef", type: "text", text: "Much more text than can be seen at once on such a small card as this one is. ".repeat(3), x: 0, y: 0, width: 120, height: 60 }], edges: [] };
const READERS = { "the viewer": "", "the app's measures": fs.readFileSync(path.join(HERE, "obsidian.css"), "utf8") };
const isListing = process.argv.includes("--list");

const executablePath = findChromium();
if (executablePath === null) {
	console.log("Skipped: there is no Chromium here. Install it (apt-get install chromium) or name it in CHROMIUM.");
	process.exit(0);
}
const began = performance.now();
const sandbox = makeSandbox(0);
const daemon = new Daemon(sandbox);
const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
let faults = 0;
try {
	const boards = await drawBoards(sandbox);
	const page = await openReader();
	for (const [reader, css] of Object.entries(READERS)) {
		const control = await page.evaluate(([canvas, more]) => window.measure(canvas, more), [CONTROL, css]);
		if (control.sizes[0].high <= BEARABLE) throw new Error(`${reader} does not see that a text is too long`);
		const spare = [];
		let cards = 0;
		for (const [name, canvas] of boards) {
			const { sizes, nodes } = await page.evaluate(([one, more]) => window.measure(one, more), [canvas, css]);
			const expected = canvas.nodes.filter((node) => node.type === "text" || node.type === "link" || /\.(md|png)$/.test(node.file ?? "")).length;
			if (nodes !== expected) throw new Error(`${reader} shows ${nodes} of ${expected} cards of ${name}`);
			cards += sizes.length;
			for (const card of sizes) {
				const misfit = card.high > BEARABLE || card.wide > BEARABLE;
				if (misfit) faults++;
				if (misfit || isListing) console.log(`${misfit ? "FULL " : "     "} ${reader}: ${name}: ${JSON.stringify(card.text.slice(0, 50))} ${card.width}x${card.height}: ${card.high} too high, ${card.wide} too wide, uses ${card.used}`);
				if (!misfit && card.height > 60) spare.push((card.height - card.used) / card.height);
			}
		}
		spare.sort((a, b) => a - b);
		const part = (at) => `${Math.round(100 * spare[Math.floor(at * (spare.length - 1))])} %`;
		console.log(`${reader}: ${boards.length} canvases, ${cards} text cards; empty height: median ${part(0.5)}, nine of ten under ${part(0.9)}`);
	}
} finally {
	await browser.close();
	await daemon.stop();
	sandbox.remove();
}
console.log(`${faults ? `FAILED: ${faults} times text does not fit its card` : "passed"} in ${((performance.now() - began) / 1000).toFixed(1)} s`);
process.exit(faults ? 1 : 0);

async function openReader() {
	const bundle = await build({ entryPoints: [path.join(HERE, "page.mjs")], bundle: true, write: false, format: "iife", platform: "browser", logLevel: "error" });
	const page = await browser.newPage({ viewport: { width: 1600, height: 1000 } });
	// Cards show files and addresses; here only text counts, and nothing leaves this machine.
	await page.route("**/*", (route) => (route.request().url() === "http://reader.invalid/" ? route.fulfill({ contentType: "text/html", body: '<!doctype html><meta charset="utf-8"><div id="board" style="width:1600px;height:1000px"></div>' }) : route.abort()));
	await page.goto("http://reader.invalid/");
	await page.addScriptTag({ content: bundle.outputFiles[0].text });
	return page;
}
