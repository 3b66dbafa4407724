/** The activity pane: what agents did, and the way back. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { Agent } from "../agent.mjs";

const CHANGE = ".vault-sidecar-change";
const SESSION = ".vault-sidecar-session";
const UNREAD = ".vault-sidecar-unread";
const TANK = "Projects/Rainwater tank/Rainwater tank.md";
const BEDS = "Projects/Spring beds.md";

export async function activityShowsWrites(world) {
	const { window, agent, sandbox } = world;
	world.tank = read(sandbox, TANK);
	assert.deepEqual(await window.texts(UNREAD), ["4"], "what the person linked is no news");
	await agent.call("edit_note", { identifier: TANK, operation: "find_replace", find_text: "- [ ] Clean the gutter", content: "- [ ] Clean the gutter and the sieve", reason: "The sieve was clogged on 26 November" });
	await window.until(UNREAD, '(texts) => texts[0] === "5"');
	await window.shoot(world.shots, "unread");
	await window.run("show-activity");
	await window.untilCount(CHANGE, 6);
	assert.equal(await window.count(".vault-sidecar-dot"), 5, "changes of agents are marked, the person's own is not");
	assert.equal(await window.count(UNREAD), 0, "what is looked at is not unread any more");
	const sessions = await window.texts(`${SESSION} .vault-sidecar-client`);
	assert.deepEqual(sessions, ["Claude", "You"]);
	assert.equal(await window.count(`${SESSION} .vault-sidecar-undo`), 1, "only an agent's session is undone as a whole");
	assert.ok((await window.texts(".vault-sidecar-reason")).includes("The sieve was clogged on 26 November"));
	assert.equal((await window.texts(`${CHANGE} .vault-sidecar-counts`))[0], "+1 −1");
	await window.assertSound();
}

export async function diffOpens({ window, shots }) {
	await window.clickText(CHANGE, "sieve", ".vault-sidecar-head");
	await window.untilCount(".vault-sidecar-hunk", 1);
	assert.equal(await window.count(".vault-sidecar-added"), 1);
	assert.equal(await window.count(".vault-sidecar-removed"), 1);
	assert.match((await window.texts(".vault-sidecar-added"))[0], /^\+- \[ \] Clean the gutter and the sieve/);
	assert.ok((await window.count(".vault-sidecar-kept")) >= 4, "with lines around it");
	await window.shoot(shots, "activity");
	assert.deepEqual(await window.preview(".vault-sidecar-diff-file"), { source: "vault-sidecar-activity", path: TANK, line: null });
	const before = await window.noteText();
	await window.dragIntoNote(".vault-sidecar-diff-file");
	const added = (await window.noteText()).slice(before.length);
	assert.equal(added, "[[Rainwater tank]]");
	await window.undoTyping(added);
	await window.click(".vault-sidecar-diff-file");
	assert.equal((await window.opened()).path, TANK);
	await window.assertSound();
}

export async function undoRestores({ window, sandbox, shots, tank }) {
	await window.clickText(CHANGE, "sieve", ".vault-sidecar-undo");
	await window.untilCount(".modal li", 1);
	assert.deepEqual(await window.texts(".modal li"), [`${TANK} +1 −1`]);
	await window.shoot(shots, "undo");
	assert.notEqual(read(sandbox, TANK), tank, "asking changes nothing");
	await window.clickText(".modal button", "Undo");
	await window.untilCount(`${CHANGE}.is-undone`, 1);
	assert.equal(read(sandbox, TANK), tank, "byte for byte");
	await window.untilCount(CHANGE, 7);
	assert.deepEqual(await window.dismissNotices(), ["Undone in 1 file."]);
	assert.equal(await window.count(".modal"), 0);
	await window.assertSound();
}

export async function undoSession(world) {
	const { window, sandbox, daemon } = world;
	const other = (world.other = new Agent({ port: daemon.endpoint.port, token: daemon.token, name: "Cursor" }));
	await other.connect();
	const before = read(sandbox, BEDS);
	await other.call("edit_note", { identifier: BEDS, operation: "append", content: "Sow the peas first." });
	await other.call("write_note", { title: "Peas", directory: "Projects", content: "# Peas\n\nSee [[Spring beds]].\n" });
	await window.until(`${SESSION} .vault-sidecar-client`, '(texts) => texts.includes("Cursor")');
	await window.clickText(SESSION, "Cursor", ".vault-sidecar-undo");
	await window.untilCount(".modal li", 2);
	await window.clickText(".modal button", "Undo");
	await window.untilCount(`${CHANGE}.is-undone`, 3);
	assert.equal(read(sandbox, BEDS), before);
	assert.equal(fs.existsSync(path.join(sandbox.vault, "Projects/Peas.md")), false);
	await window.dismissNotices();
	await window.assertSound();
}

export async function conflictIsNamed({ window, sandbox, other, shots }) {
	await other.callOnceSaved("edit_note", { identifier: TANK, operation: "find_replace", find_text: "- [-] Borrow a pump", content: "- [-] Borrow a big pump" });
	await window.until(CHANGE, "(texts) => texts.length === 11");
	fs.writeFileSync(path.join(sandbox.vault, TANK), read(sandbox, TANK).replace("Borrow a big pump", "Buy a small pump"));
	await window.click(`${CHANGE} .vault-sidecar-undo`);
	await window.untilCount(".modal .vault-sidecar-hunk", 1);
	const text = (await window.texts(".modal")).join();
	assert.ok(text.includes(TANK), "the file is named");
	assert.ok((await window.texts(".modal .vault-sidecar-added")).some((line) => line.includes("Buy a small pump")), "what stands there now is shown");
	await window.shoot(shots, "conflict");
	assert.ok(read(sandbox, TANK).includes("Buy a small pump"), "nothing was changed");
	await window.clickText(".modal button", "Open the file");
	await window.untilCount(".modal", 0);
	assert.equal((await window.opened()).path, TANK);
	await window.assertSound();
}

export async function filtersNarrow({ window }) {
	const all = await window.count(CHANGE);
	await window.click('[aria-label="Filter by path"]');
	await window.fill(".vault-sidecar-activity input", "spring beds");
	await window.until(CHANGE, `(texts) => texts.length > 0 && texts.length < ${all}`);
	await window.press("Escape");
	await window.untilCount(CHANGE, all);
	await window.click('[aria-label="Choose an agent"]');
	assert.deepEqual(await window.texts(".menu-item"), ["All", "Claude", "Cursor", "You"]);
	await window.clickText(".menu-item", "Cursor");
	await window.until(`${SESSION} .vault-sidecar-client`, '(texts) => texts.length === 1 && texts[0] === "Cursor"');
	await window.click('[aria-label="Choose an agent"]');
	await window.clickText(".menu-item", "All");
	await window.untilCount(CHANGE, all);
	await window.assertSound();
}

function read(sandbox, note) {
	return fs.readFileSync(path.join(sandbox.vault, note), "utf8");
}
