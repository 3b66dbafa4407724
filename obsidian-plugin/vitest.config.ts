import { defineConfig } from "vitest/config";

export default defineConfig({
	// The package `obsidian` holds types only, so Vite cannot resolve it; the mocks stand in.
	resolve: { alias: { obsidian: "obsidian-test-mocks/obsidian" } },
	test: { environment: "jsdom", include: ["tests/**/*.test.ts"], setupFiles: ["tests/setup.ts"], restoreMocks: true },
});
