import { describe, expect, it } from "vitest";
import { addCounts, countsOf, hunkElement, hunksOfText, remarkOn } from "../../src/diff/hunk-element";
import { fileDiff } from "../fakes";

const lines = [
	{ kind: " " as const, text: "kept" },
	{ kind: "-" as const, text: "<img src=x onerror=alert(1)>" },
	{ kind: "+" as const, text: "new" },
	{ kind: "+" as const, text: "" },
];
const hunk = { old_start: 1, new_start: 1, lines };

it("draws each line with its sign, as text", () => {
	const el = hunkElement(hunk);
	expect([...el.children].map(({ className, textContent }) => [className.split("sidecar-").at(-1), textContent])).toEqual([
		["kept", " kept"],
		["removed", "−<img src=x onerror=alert(1)>"],
		["added", "+new"],
		["added", "+"],
	]);
	expect(el.querySelector("img")).toBeNull();
});

it("reads the hunks of a unified diff, and only them", () => {
	const diff = "--- before\n+++ after\n@@ -1 +1 @@\n-a\n+b\n@@ -9,2 +9,1 @@\n c\n--- d\n… 3 more lines";
	expect(hunksOfText(diff).map((one) => one.lines.map(({ kind, text }) => kind + text))).toEqual([
		["-a", "+b"],
		[" c", "--- d"],
	]);
	expect(hunksOfText("")).toEqual([]);
});

it("counts lines that come and go", () => {
	const counts = countsOf(fileDiff({ hunks: [hunk, hunk] }));
	expect(counts).toEqual({ added: 4, removed: 2 });
	const el = createDiv();
	addCounts(el, counts);
	expect(el.textContent).toBe("+4 −2");
});

it("says nothing where no line changed", () => {
	const el = createDiv();
	addCounts(el, { added: 0, removed: 0 });
	expect(el.childElementCount).toBe(0);
});

describe("what the hunks do not say", () => {
	it.each([
		[{ binary: true }, "Not shown: this is no text, or its old bytes are no longer kept."],
		[{ hunks: [hunk], more: 1 }, "1 more line."],
		[{ hunks: [hunk], more: 7 }, "7 more lines."],
		[{ hunks: [hunk] }, null],
		[{ op: "move" as const, to: "B.md" }, "Moved to B.md; its text stays."],
		[{ op: "move" as const, to: "B.md", hunks: [hunk] }, null],
		[{ op: "trash" as const }, "Moved to the trash."],
		[{}, "No line differs."],
	])("%j", (file, expected) => expect(remarkOn(fileDiff(file))).toBe(expected));
});
