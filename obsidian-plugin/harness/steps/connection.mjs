/** How the plugin finds the daemon, loses it, and tells it from others. */
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { AppWindow } from "../app-window.mjs";

const STATUS = ".vault-sidecar-status";
/** The next attempts to connect are then four seconds apart. */
const QUIET = 3800;
const NOTICED = 1000;

export async function indexingIsShown(world) {
	world.window = await AppWindow.open(world.browser, world.site, world.sandbox.vault);
	const { window, daemon, numbers } = world;
	await window.untilStatus("muted", "not running");
	await window.assertSound();
	// Not before the plugin has come to try rarely: that the daemon is there it must see, not find out.
	await sleep(QUIET);
	await daemon.startFromTerminal();
	const published = performance.now();
	await window.untilStatusOther("not running");
	numbers["a first daemon from a terminal noticed, ms"] = Math.round(performance.now() - published);
	assert.ok(performance.now() - published < NOTICED, "noticed at once");
	await window.untilStatus("ok", "Ready");
	const percents = (await window.statusTexts()).filter((text) => /^\d+%$/.test(text.trim()));
	assert.ok(percents.length > 0, `indexing was shown in percent; the texts were ${JSON.stringify(await window.statusTexts())}`);
	assert.equal((await window.seen(STATUS).textContent()).trim(), "", "no text when nothing is done");
	await window.assertSound();
}

export async function daemonDiesAndComesBack({ window, daemon, shots, numbers }) {
	await window.openNote("Areas/Composting.md");
	await window.run("show-backlinks");
	await window.until(".vault-sidecar-mention", "(texts) => texts.length > 0");
	const mentions = await window.count(".vault-sidecar-mention");
	await daemon.kill();
	await window.untilStatus("muted", "not running");
	await window.until(".vault-sidecar-banner", '(texts) => texts.some((text) => text.includes("The sidecar is not running."))');
	assert.equal(await window.count(".vault-sidecar-mention"), 0, "nothing old is shown");
	await window.shoot(shots, "offline");
	window.errors.length = 0;
	const pressed = performance.now();
	await window.clickText(".vault-sidecar-banner", "", "button");
	await window.untilStatus("ok", "Ready");
	numbers["started from the pane, ms"] = Math.round(performance.now() - pressed);
	await window.untilCount(".vault-sidecar-mention", mentions);
	await window.run("show-activity");
	await window.until(".vault-sidecar-change", "(texts) => texts.length > 3");
	await window.assertSound();
}

export async function wrongToken({ window, daemon, site }) {
	await withEndpoint(daemon, (endpoint) => ({ ...endpoint, token: "0".repeat(64) }), async () => {
		site.sent.length = 0;
		await window.run("reconnect");
		await window.untilStatus("warn", "does not know the token");
		assert.ok(site.sent.length > 0 && site.sent.every(({ hasBearer }) => !hasBearer), "no bearer was sent");
	});
	await window.run("reconnect");
	await window.untilStatus("ok", "Ready");
}

export async function squattedPort({ window, daemon, site }) {
	const heard = [];
	const squatter = http.createServer((request, response) => {
		heard.push({ url: request.url, authorization: request.headers.authorization });
		response.writeHead(200, { "Content-Type": "application/json" });
		response.end(JSON.stringify({ protocol: { min: 1, max: 1 }, version: "9", instance_id: "x", proof: "00".repeat(32), vault: "served", capabilities: [] }));
	});
	await new Promise((resolve) => squatter.listen(0, "127.0.0.1", resolve));
	await withEndpoint(daemon, (endpoint) => ({ ...endpoint, port: squatter.address().port }), async () => {
		site.sent.length = 0;
		await window.run("reconnect");
		await window.untilStatus("warn", "does not know the token");
		assert.ok(heard.length > 0, "the squatter was asked who it is");
		assert.deepEqual(heard.filter(({ url, authorization }) => authorization || !url.startsWith("/v1/hello")), [], "and got nothing else");
	});
	squatter.close();
	await window.run("reconnect");
	await window.untilStatus("ok", "Ready");
	await window.assertSound();
}

export async function wrongVault(world) {
	await world.window.close();
	const other = (world.window = await AppWindow.open(world.browser, world.site, world.sandbox.otherVault));
	await other.untilStatus("warn", "not for this vault");
	await other.assertSound();
}

/** Do the work while endpoint.json says something else. */
async function withEndpoint({ endpointFile }, change, work) {
	const kept = fs.readFileSync(endpointFile, "utf8");
	fs.writeFileSync(endpointFile, JSON.stringify(change(JSON.parse(kept))));
	try {
		await work();
	} finally {
		fs.writeFileSync(endpointFile, kept);
	}
}
