import { beforeEach, expect, it, vi } from "vitest";
import { ParityModal, freePath } from "../../src/parity/parity-modal";
import { checkParity, knowledgeOf } from "../../src/parity/parity";
import { FakeBridge, fakeApp, settle, watchApp } from "../fakes";

const report = { files: 2, total: 1, differences: [{ path: "A.md", kind: "resolved" as const, what: "B.md", app: 2, sidecar: 0 }], report: "# Parity\n" };
let seen: ReturnType<typeof watchApp>;
beforeEach(() => (seen = watchApp()));

it("gathers links and tags as the app knows them", () => {
	const { app, mock } = fakeApp({ "A.md": "", "B.md": "" });
	vi.spyOn(mock.metadataCache, "getFileCache").mockImplementation((file) => (file.path === "A.md" ? { tags: [{ tag: "#x" }, { tag: "#x" }] } : {}) as never);
	Object.assign(mock.metadataCache, { resolvedLinks: { "A.md": { "B.md": 2 } }, unresolvedLinks: { "A.md": { Nowhere: 1 } } });
	expect(knowledgeOf(app)).toEqual({ resolved: { "A.md": { "B.md": 2 } }, unresolved: { "A.md": { Nowhere: 1 } }, tags: { "A.md": ["#x"] } });
});

it("shows each difference with its file, and saves the report as a note", async () => {
	const { app, mock } = fakeApp({ "A.md": "" });
	vi.spyOn(mock.workspace, "openLinkText").mockResolvedValue();
	await checkParity(app, new FakeBridge({ parity: report }));
	const modal = seen.modals[0] as ParityModal;
	expect(modal).toBeInstanceOf(ParityModal);
	expect(modal.contentEl.querySelector("li")?.textContent).toBe("A.md: link B.md: 2 in the app, 0 in the sidecar");
	seen.press("Save as note");
	await settle();
	const saved = mock.vault.getMarkdownFiles().find(({ path }) => path.startsWith("Parity report"));
	expect(saved && (await mock.vault.read(saved))).toBe("# Parity\n");
});

it("says that there is no difference", () => {
	const modal = new ParityModal(fakeApp().app, { ...report, total: 0, differences: [] });
	modal.onOpen();
	expect(modal.contentEl.querySelector("p")?.textContent).toBe("No differences in 2 files.");
});

it("never takes the name of a note that is there", () => {
	const taken = new Set(["R.md", "R 1.md"]);
	expect(freePath("R", (path) => taken.has(path))).toBe("R 2.md");
});
