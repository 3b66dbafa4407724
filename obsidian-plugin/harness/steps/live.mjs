/** Changes of a note that is open: through its editor, and once, whatever happens to the plugin meanwhile. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const NOTE = "Areas/Budget.md";

export async function editorWrites({ window, agent, sandbox, site }) {
	site.sent.length = 0;
	await window.openNote(NOTE);
	await untilTold(site);
	const before = await window.transactions();
	await append(agent, "Paid through the editor.");
	assert.equal(await window.transactions(), before + 1);
	assert.equal(occurrences(sandbox, "Paid through the editor."), 1);
	await window.until(".note-text", '(texts) => texts[0].includes("Paid through the editor.")');
	await window.assertSound();
}

export async function unsavedTextStays({ window, agent, sandbox }) {
	await window.type("\nTyped and not saved.");
	const text = fs.readFileSync(path.join(sandbox.vault, NOTE), "utf8");
	await assert.rejects(append(agent, "Not over what is typed."), /unsaved|not saved/i);
	assert.equal(fs.readFileSync(path.join(sandbox.vault, NOTE), "utf8"), text);
	await window.until(".note-text", '(texts) => texts[0].includes("Typed and not saved.")');
	await window.save();
	assert.equal(occurrences(sandbox, "Typed and not saved."), 1);
	await window.assertSound();
}

export async function reloadBeforeClaim({ window, agent, sandbox, site }) {
	const claim = holdAt(site, "/claim");
	const written = append(agent, "Before the claim.");
	await claim.reached;
	await reload(window, site);
	claim.release();
	await written;
	assert.equal(occurrences(sandbox, "Before the claim."), 1);
	await window.untilStatus("ok", "Ready");
	await window.assertSound();
}

export async function reloadAfterClaim({ window, agent, sandbox, site }) {
	await untilTold(site);
	const release = await window.holdSaves();
	const transactions = await window.transactions();
	const written = append(agent, "While it is saved.").then(() => "written", (error) => error.message);
	await window.untilTransactions(transactions + 1);
	await reload(window, site);
	await release();
	const outcome = await written;
	assert.ok(outcome === "written" || /check|unknown|not said/i.test(outcome), `the agent was told: ${outcome}`);
	assert.equal(occurrences(sandbox, "While it is saved."), 1);
	await window.untilStatus("ok", "Ready");
	await append(agent, "And after that.");
	assert.equal(occurrences(sandbox, "While it is saved."), 1);
	assert.equal(occurrences(sandbox, "And after that."), 1);
	await window.assertSound();
}

export async function typedWhileSaved({ window, agent, sandbox, site }) {
	await untilTold(site);
	const release = await window.holdSaves();
	const transactions = await window.transactions();
	const written = append(agent, "Before the typing.");
	await window.untilTransactions(transactions + 1);
	await window.type("\nTyped before it was saved.");
	await reload(window, site);
	await release();
	await written;
	assert.equal(occurrences(sandbox, "Before the typing."), 1);
	assert.equal(occurrences(sandbox, "Typed before it was saved."), 1);
	await window.untilStatus("ok", "Ready");
	await window.run("show-activity");
	await window.until(".vault-sidecar-change", `(texts) => texts[0]?.includes("Budget.md") && !texts[0].includes("Not written")`);
	await window.assertSound();
}

export async function agentOpens({ window, agent }) {
	await agent.call("obsidian", { action: "open", target: "Areas/Composting.md#Leaf mould" });
	await window.untilOpened("Areas/Composting.md#Leaf mould");
	assert.match(await agent.call("obsidian", {}), /Composting/, "what is in front is told");
	await window.assertSound();
}

async function reload(window, site) {
	await window.unloadPlugin();
	site.sent.length = 0;
	await window.loadPlugin();
}

/** Wait until the daemon knows what is open. */
async function untilTold(site) {
	const isTold = () => site.sent.some(({ url, isDone }) => url.includes("/v1/context?") && isDone);
	for (let left = 500; left > 0 && !isTold(); left--) await sleep(10);
	assert.ok(isTold(), "the daemon was told what is open");
}

function append(agent, content) {
	return agent.call("edit_note", { identifier: NOTE, operation: "append", content });
}

/** Hold the next request whose address holds these words. */
function holdAt(site, words) {
	const hold = {};
	hold.reached = new Promise((resolve) => {
		const released = new Promise((go) => (hold.release = go));
		site.hold = async (url) => {
			if (!url.includes(words)) return;
			site.hold = async () => undefined;
			resolve();
			await released;
		};
	});
	return hold;
}

function occurrences(sandbox, text) {
	return fs.readFileSync(path.join(sandbox.vault, NOTE), "utf8").split(text).length - 1;
}
