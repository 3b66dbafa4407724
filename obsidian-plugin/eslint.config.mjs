import { defineConfig, globalIgnores } from "eslint/config";
import obsidianmd from "eslint-plugin-obsidianmd";
import { PlainTextParser } from "eslint-plugin-obsidianmd/dist/lib/plainTextParser.js";
import tseslint from "typescript-eslint";

// Run inside this folder: the rules read `manifest.json` from the current directory.
export default defineConfig(
	globalIgnores(["node_modules", "main.js", "harness", "tests", "*.mjs", "*.ts", "package-lock.json"]),
	...obsidianmd.configs.recommended,
	{ files: ["src/**/*.ts"], languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } } },
	// `recommended` switches these two rules on but has no block that reaches the files.
	{
		files: ["manifest.json"],
		plugins: { obsidianmd },
		languageOptions: { parser: tseslint.parser, parserOptions: { projectService: false, extraFileExtensions: [".json"] } },
		rules: { "obsidianmd/validate-manifest": "error" },
	},
	{
		files: ["LICENSE"],
		plugins: { obsidianmd },
		languageOptions: { parser: PlainTextParser },
		rules: { "obsidianmd/validate-license": "error" },
	},
);
