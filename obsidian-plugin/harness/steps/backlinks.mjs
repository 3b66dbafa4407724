/** The backlinks pane beside a note to which much links. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "../agent.mjs";
import { SIZE } from "../app-window.mjs";

const NOTE = "Areas/Composting.md";
const MENTION = ".vault-sidecar-mention";
const SECTION = ".vault-sidecar-section";
/** The watcher waits so long for a file to be at rest. */
const DEBOUNCE = 300;
const LATEST = 200;
const TIMES = 4;

export async function backlinksAppear(world) {
	const { window, daemon } = world;
	world.agent = new Agent({ port: daemon.endpoint.port, token: daemon.token, name: "Claude" });
	await world.agent.connect();
	await window.openNote(NOTE);
	await window.run("show-backlinks");
	await window.until(MENTION, "(texts) => texts.length > 0");
	const linked = Number((await window.texts(SECTION))[0].replace("Linked mentions", ""));
	await window.setHeight(5000);
	await window.untilCount(MENTION, linked);
	assert.deepEqual((await window.texts(SECTION)).slice(1), ["Unlinked mentions"]);
	assert.equal(new Set(await window.texts(".vault-sidecar-file")).size, await window.count(".vault-sidecar-file"), "each file once");
	assert.ok((await window.texts(".vault-sidecar-origin")).some((text) => text.startsWith("Card:")), "canvas cards are there");
	await window.setHeight(SIZE.height);
	assert.match(await world.agent.call("links", { identifier: NOTE }), new RegExp(`^# ${linked} links to it`), "agents are told the same");
	world.linked = linked;
	await window.shoot(world.shots, "backlinks");
	await window.assertSound();
}

export async function outsideChangeShows(world) {
	const { window, sandbox, numbers } = world;
	const took = [];
	for (let time = 0; time < TIMES; time++) {
		const from = performance.now();
		fs.writeFileSync(path.join(sandbox.vault, `Daily/1999-12-0${time + 1}.md`), "Turned the heap, see [[Composting]].\n");
		took.push(await untilLinked(window, ++world.linked, from));
	}
	numbers["outside change to row after the debounce, ms"] = took.map((milliseconds) => Math.round(milliseconds - DEBOUNCE));
	assert.ok(Math.min(...took) - DEBOUNCE <= LATEST, `shown after ${took}`);
}

export async function ownWriteShows(world) {
	const { window, agent, numbers } = world;
	const took = [];
	for (let time = 0; time < TIMES; time++) {
		const reason = "Amara asked for notes on the heap";
		await agent.call("write_note", { title: `Heap diary ${time + 1}`, directory: "Areas", content: `Warm again, see [[Composting]].\n\nDay ${time + 1}.\n`, reason });
		took.push(await untilLinked(window, ++world.linked, performance.now()));
	}
	numbers["agent's write to row, ms"] = took.map(Math.round);
	assert.ok(Math.min(...took) <= LATEST, `shown after ${took}`);
}

export async function clickOpens({ window }) {
	await window.clickText(MENTION, "Turned the heap");
	const opened = await window.opened();
	assert.match(opened.path, /^Daily\/1999-12-0\d\.md$/);
	assert.equal(opened.line, 0);
	await window.openNote(NOTE);
}

export async function rowsAreUsed({ window }) {
	assert.deepEqual(await window.preview(`${MENTION}:has-text("Turned the heap")`), { source: "vault-sidecar-backlinks", path: "Daily/1999-12-01.md", line: 0 });
	await window.openNote("Areas/Budget.md");
	await window.openNote(NOTE);
	await window.until(MENTION, "(texts) => texts.length > 0");
	const before = await window.noteText();
	await window.dragIntoNote(`${MENTION}:has-text("Turned the heap")`);
	const added = (await window.noteText()).slice(before.length);
	assert.match(added, /^\[\[1999-12-0\d\]\]$/, "a row that is dropped in the note gives its link");
	await window.undoTyping(added);
	await window.focus(".vault-sidecar-list");
	await window.press("Control+f");
	await window.fill(".vault-sidecar-backlinks input", "heap -diary");
	await window.until(MENTION, '(texts) => texts.length > 0 && texts.every((text) => /heap/i.test(text))');
	await window.press("Escape");
	await window.untilCount(".vault-sidecar-backlinks input", 0);
	await window.click(`${MENTION}:has(.vault-sidecar-origin:text-matches("^Card: "))`);
	assert.match((await window.opened()).path, /\.canvas$/);
	assert.match(await window.untilCard(), /./, "the card is jumped to");
	await window.openNote(NOTE);
	await window.until(MENTION, "(texts) => texts.length > 0");
	await window.assertSound();
}

export async function mentionIsLinked(world) {
	const { window, sandbox } = world;
	fs.writeFileSync(path.join(sandbox.vault, "Daily/1999-12-09.md"), "Nothing new about Composting today.\n");
	await sleep(DEBOUNCE);
	await window.clickText(SECTION, "Linked mentions");
	await window.untilCount(MENTION, 0);
	await window.clickText(SECTION, "Unlinked mentions");
	await window.until(`${MENTION}:has(.vault-sidecar-link)`, '(texts) => texts.some((text) => text.includes("Nothing new about"))');
	const unlinked = await window.count(".vault-sidecar-link");
	await window.clickText(MENTION, "Nothing new about", ".vault-sidecar-link");
	await window.untilCount(".vault-sidecar-link", unlinked - 1);
	assert.equal(fs.readFileSync(path.join(sandbox.vault, "Daily/1999-12-09.md"), "utf8"), "Nothing new about [[Composting]] today.\n");
	assert.deepEqual((await window.dismissNotices()).map((text) => text.replace("Undo", "").trim()), ["Linked 1 mention."]);
	await untilLinked(window, ++world.linked);
	await window.assertSound();
}

/** The list keeps only the rows that can be seen, so the count is looked at. */
function untilLinked(window, count, from) {
	return window.until(SECTION, `(texts) => texts[0] === "Linked mentions${count}"`, from);
}
