import { expect, it } from "vitest";
import { Backoff } from "../../src/connection/backoff";

it("doubles from half a second to thirty and begins again", () => {
	const backoff = new Backoff(() => 0.5);
	expect(Array.from({ length: 8 }, () => backoff.next())).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
	backoff.reset();
	expect(backoff.next()).toBe(500);
});

it.each([
	[0, 400],
	[1, 600],
])("jitters by a fifth: random %d", (random, expected) => expect(new Backoff(() => random).next()).toBeCloseTo(expected));
