/** How many changes by agents the person has not looked at. */

export class Unread {
	private number = 0;
	private readonly handlers = new Set<(count: number) => void>();

	get count(): number {
		return this.number;
	}

	set(count: number): void {
		if (count === this.number) return;
		this.number = count;
		this.handlers.forEach((handler) => handler(count));
	}

	/** Call back when the number changed; returns how to stop. */
	on(handler: (count: number) => void): () => void {
		this.handlers.add(handler);
		return () => this.handlers.delete(handler);
	}
}
