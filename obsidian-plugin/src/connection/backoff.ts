/** How long to wait before the next attempt: half a second, doubling to thirty, with a fifth of jitter. */

const FIRST = 500;
const LAST = 30_000;

export class Backoff {
	private delay = FIRST;

	constructor(private readonly random: () => number = Math.random) {}

	next(): number {
		const delay = this.delay * (0.8 + 0.4 * this.random());
		this.delay = Math.min(this.delay * 2, LAST);
		return delay;
	}

	reset(): void {
		this.delay = FIRST;
	}
}
