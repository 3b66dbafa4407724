/** The canvases that are looked at: drawn by the daemon's tools, as an agent would draw them. */
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { TEXTS } from "./texts.mjs";

const GRAPHS = path.resolve(import.meta.dirname, "../../../bench/graphs");
const DRAWN = ["docs-25", "manual-12", "personal-58", "steps-24", "tree-30"];
const NARROW = [250, 480];
/** Its words take more than that. */
const NEVER_NARROW = "a wide table";
const run = promisify(execFile);

/** Draw all boards in the sandbox's vault; return them by name, beside those that were there. */
export async function drawBoards(sandbox) {
	const call = async (tool, args) => {
		const said = Object.entries(args).map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
		await run("vault-sidecar", ["call", "--vault", sandbox.vault, tool, ...said], { env: sandbox.environment });
	};
	const draw = (title, nodes, edges = []) => call("canvas", { title, directory: "Fit", nodes, edges });
	const cards = Object.entries(TEXTS).map(([id, text]) => ({ id, text }));
	await draw("Texts", cards);
	for (const width of NARROW) await draw(`Texts ${width} wide`, cards.filter(({ id }) => id !== NEVER_NARROW).map((card) => ({ ...card, width })));
	await draw("Notes", notesIn(sandbox.vault));
	for (const [name, graph] of graphs()) await draw(`Graph ${name}`, ...boardOf(graph));
	await call("canvas_map", { path: "Fit/Folders.canvas", source: "folder:Manual", color_by: "tag", group_by: "tag" });
	await call("canvas_map", { path: "Fit/Tags.canvas", source: "tag:#garden", color_by: "folder" });
	return boardsIn(sandbox.vault);
}

/** The notes as an agent copies them: whole, without properties. */
function notesIn(vault) {
	const files = fs.readdirSync(vault, { recursive: true }).filter((file) => file.endsWith(".md") && !/(^|\/)\./.test(file));
	const bodies = files.sort().map((id) => ({ id, text: fs.readFileSync(path.join(vault, id), "utf8").replace(/^---\n[\s\S]*?\n---\n/, "") }));
	return bodies.flatMap(({ id, text }) => text.split(/\n(?=## )/).map((part, number) => ({ id: `${id} ${number}`, text: part })));
}

function graphs() {
	return DRAWN.map((name) => [name, JSON.parse(fs.readFileSync(path.join(GRAPHS, `${name}.json`), "utf8"))]);
}

/** A graph of the drawing corpus as cards that name what they lead to. */
function boardOf({ cards, edges }) {
	const nodes = Object.keys(cards).map((id) => {
		const ends = edges.filter(([from]) => from === id).map(([, to]) => `- [[${to}]]`);
		return { id, text: [`## ${id}`, ...ends].join("\n") };
	});
	return [nodes, edges.map(([fromNode, toNode]) => ({ fromNode, toNode }))];
}

function boardsIn(vault) {
	const files = fs.readdirSync(vault, { recursive: true }).filter((file) => file.endsWith(".canvas"));
	return files.sort().map((file) => [file, JSON.parse(fs.readFileSync(path.join(vault, file), "utf8"))]);
}
