import esbuild from "esbuild";
import { builtinModules } from "node:module";
import { statSync } from "node:fs";

const LARGEST = 120_000;
const production = process.argv[2] === "production";
const context = await esbuild.context({
	entryPoints: ["src/main.ts"],
	bundle: true,
	external: ["obsidian", "electron", "@codemirror/*", "@lezer/*", ...builtinModules, ...builtinModules.map((name) => `node:${name}`)],
	format: "cjs",
	target: "es2022",
	platform: "browser",
	logLevel: "info",
	sourcemap: production ? false : "inline",
	treeShaking: true,
	minify: production,
	legalComments: "none",
	outfile: "main.js",
});
if (production) {
	await context.rebuild();
	await context.dispose();
	const { size } = statSync("main.js");
	if (size > LARGEST) throw new Error(`main.js has ${size} bytes, more than the ${LARGEST} it may have.`);
} else {
	await context.watch();
}
