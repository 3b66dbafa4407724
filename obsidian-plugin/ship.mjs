// Puts the built plugin where the Python wheel takes it from; with --check, says whether what is there is stale.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const SHIPPED = "../sidecar/obsidian_plugin";
const FILES = ["main.js", "manifest.json", "styles.css"];
const check = process.argv.includes("--check");

// A checkout may have other line ends than the build.
const text = (path) => readFileSync(path, "utf8").replaceAll("\r\n", "\n");
const shipped = (file) => {
	try {
		return text(`${SHIPPED}/${file}`);
	} catch {
		return null;
	}
};

if (check) {
	const stale = FILES.filter((file) => text(file) !== shipped(file));
	if (stale.length > 0) {
		console.error(`Stale in sidecar/obsidian_plugin: ${stale.join(", ")}. Run: make plugin-ship`);
		process.exitCode = 1;
	}
} else {
	mkdirSync(SHIPPED, { recursive: true });
	for (const file of FILES) writeFileSync(`${SHIPPED}/${file}`, text(file));
}
