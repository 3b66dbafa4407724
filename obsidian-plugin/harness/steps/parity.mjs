/** The parity check: what the app knows beside what the daemon knows. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";

const LINKING = "Areas/Budget.md";

/** The page's app knows one link, to a note that this one does not name, and no other. */
export async function parityIsReported({ window, sandbox, shots }) {
	await window.knowLinks({ [LINKING]: { "Areas/Composting.md": 7 } });
	await window.run("check-parity");
	await window.until(".modal li", "(texts) => texts.length > 1");
	assert.ok((await window.texts(".modal li")).includes(`${LINKING}: link Areas/Composting.md: 7 in the app, 0 in the sidecar`));
	await window.shoot(shots, "parity");
	await window.dismissNotices();
	await window.clickText(".modal button", "Save as note");
	await window.untilCount(".modal", 0);
	const [name] = fs.readdirSync(sandbox.vault).filter((name) => name.startsWith("Parity report"));
	assert.ok(fs.readFileSync(path.join(sandbox.vault, name), "utf8").includes("Areas/Composting.md"));
	await window.assertSound();
}
