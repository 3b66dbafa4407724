/** The proposals pane: under an `ask` rule the person decides. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";

const MEETING = "Meetings/2026-11-28 Winter meeting.md";
const PROPOSAL = ".vault-sidecar-proposal";
const WAITING = ".vault-sidecar-waiting";
const HUNK = ".vault-sidecar-hunk";

export async function proposalIsAccepted(world) {
	const { window, agent, sandbox, shots } = world;
	const file = path.join(sandbox.vault, MEETING);
	const before = fs.readFileSync(file, "utf8");
	const lines = before.split("\n");
	const [first, last] = [lines.findIndex((line) => line.startsWith("# ")), lines.length - 2];
	const proposed = lines.with(first, `${lines[first]} (draft)`).with(last, `${lines[last]} Agreed.`).join("\n");
	const answer = await agent.call("write_note", { title: "2026-11-28 Winter meeting", directory: "Meetings", content: proposed, overwrite: true, reason: "Two small corrections" });
	assert.match(answer, /pending/i, "the tool says that it waits");
	assert.equal(fs.readFileSync(file, "utf8"), before, "nothing is written yet");
	await window.until(WAITING, '(texts) => texts[0]?.trim() === "1"');
	await window.run("show-proposals");
	await window.untilCount(PROPOSAL, 1);
	await window.untilCount(HUNK, 2);
	assert.equal(await window.count(".vault-sidecar-box"), 3, "one box for the file and one for each part");
	assert.deepEqual(await window.texts(".vault-sidecar-accept"), ["Accept"]);
	await window.click(`.vault-sidecar-hunk-head .vault-sidecar-box`);
	await window.until(".vault-sidecar-accept", '(texts) => texts[0] === "Accept 1 of 2 parts"');
	assert.deepEqual(await window.dismissNotices(), ["An agent proposes a change. Accept or reject it in the proposals pane."]);
	await window.shoot(shots, "proposals");
	const note = await window.noteText();
	await window.dragIntoNote(PROPOSAL);
	const added = (await window.noteText()).slice(note.length);
	assert.equal(added, "[[2026-11-28 Winter meeting]]");
	await window.undoTyping(added);
	await window.click(".vault-sidecar-accept");
	await window.untilCount(PROPOSAL, 0);
	await window.until(WAITING, '(texts) => texts.every((text) => text.trim() === "")');
	assert.equal(fs.readFileSync(file, "utf8"), lines.with(last, `${lines[last]} Agreed.`).join("\n"), "only the part that was chosen");
	await window.clickText(".vault-sidecar-section", "Decided");
	await window.until(`${PROPOSAL} .vault-sidecar-state`, '(texts) => texts[0] === "Accepted in part"');
	assert.deepEqual(await window.dismissNotices(), []);
	await window.assertSound();
}

export async function proposalIsRejected(world) {
	const { window, agent, sandbox } = world;
	const answer = await agent.call("write_note", { title: "Spring meeting", directory: "Meetings", content: "# Spring meeting\n" });
	await window.untilCount(PROPOSAL, 2);
	await window.click(".vault-sidecar-reject");
	await window.fill(".modal input", "Too early for that");
	await window.clickText(".modal button", "Reject");
	await window.until(`${PROPOSAL} .vault-sidecar-state`, '(texts) => texts.includes("Rejected")');
	assert.equal(fs.existsSync(path.join(sandbox.vault, "Meetings/Spring meeting.md")), false);
	const [id] = answer.match(/[0-9a-z-]*\d[0-9a-z-]{8,}/) ?? [];
	assert.match(await agent.call("history", { change: id }), /Too early for that/, "the agent can read why");
	await window.dismissNotices();
	await window.assertSound();
}
