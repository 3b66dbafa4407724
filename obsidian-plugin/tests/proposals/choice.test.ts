import { describe, expect, it } from "vitest";
import { chosenFiles, countOf, partKey, partsOf, toggled } from "../../src/proposals/choice";
import { proposal, proposedFile } from "../fakes";

const [first, second] = [partKey("A.md", "h1"), partKey("A.md", "h2")];
const canvas = proposedFile({ path: "B.canvas", whole: true });
const both = proposal({ files: [proposedFile(), canvas] });

it("offers hunks, or a file as a whole", () => {
	expect(partsOf(proposedFile())).toEqual([first, second]);
	expect(partsOf(canvas)).toEqual([partKey("B.canvas", "")]);
	expect(partsOf(proposedFile({ hunks: [] }))).toEqual([partKey("A.md", "")]);
});

describe("what is sent", () => {
	it.each([
		["everything", [], null],
		["one hunk and the canvas", [first], [{ path: "A.md", hunks: ["h2"] }, { path: "B.canvas", hunks: null }]],
		["all of the note", [partKey("B.canvas", "")], [{ path: "A.md", hunks: ["h1", "h2"] }]],
		["the canvas", [first, second], [{ path: "B.canvas", hunks: null }]],
		["everything, since a part of an earlier look is gone", [partKey("A.md", "old")], null],
	])("%s", (_name, leftOut, expected) => expect(chosenFiles(both, new Set(leftOut))).toEqual(expected));
});

it("counts parts", () => {
	expect(countOf(both, new Set([first]))).toEqual({ chosen: 2, total: 3 });
	expect(countOf(both, new Set([first, "gone"]))).toEqual({ chosen: 2, total: 3 });
});

it("takes out what is in, and puts in the rest of what is partly in", () => {
	expect([...toggled(new Set(), [first, second])]).toEqual([first, second]);
	expect([...toggled(new Set([first]), [first, second])]).toEqual([]);
	expect([...toggled(new Set([first]), [second])]).toEqual([first, second]);
});
