/** Keeps in the page only the rows that can be seen, so that thousands of them cost as little as a screenful. */

export interface ListParams<R> {
	/** The element that scrolls. */
	scrollEl: HTMLElement;
	/** Height in pixels to reckon with until the row was seen. */
	estimate: (row: R) => number;
	/** Make the row's element. */
	render: (row: R) => HTMLElement;
	/** What the element shows: while it is the same, the element stays, and with it a selection or a drag that began there. */
	signature: (row: R) => string;
}

const MARGIN = 400;
/** The height to fill where the page has none, as before it is laid out. */
const UNKNOWN_HEIGHT = 800;

export class WindowedList<R extends { key: string }> {
	private rows: readonly R[] = [];
	/** `tops[i]` is where row i begins; one more entry says where the last ends. */
	private tops: number[] = [0];
	private readonly measured = new Map<string, number>();
	private elements = new Map<string, { signature: string; el: HTMLElement }>();
	private readonly aboveEl: HTMLElement;
	private readonly rowsEl: HTMLElement;
	private readonly belowEl: HTMLElement;
	private first = 0;
	private last = 0;
	private width = 0;

	constructor(private readonly params: ListParams<R>) {
		const { scrollEl } = params;
		this.aboveEl = scrollEl.createDiv();
		this.rowsEl = scrollEl.createDiv();
		this.belowEl = scrollEl.createDiv();
		scrollEl.addEventListener("scroll", () => this.show(false), { passive: true });
	}

	setRows(rows: readonly R[]): void {
		this.rows = rows;
		this.layOut();
		this.show(true);
	}

	/** Forget the heights of rows, because what they hold or the width changed. */
	remeasure(): void {
		this.measured.clear();
		this.layOut();
		this.show(true);
	}

	/** Call when the pane has another size or became visible. */
	resized(): void {
		const width = this.params.scrollEl.clientWidth;
		if (width !== this.width) this.remeasure();
		else this.show(false);
		this.width = width;
	}

	/** Bring a row into view. */
	reveal(index: number): void {
		const { scrollEl } = this.params;
		const top = this.tops[index] ?? 0;
		const bottom = this.tops[index + 1] ?? top;
		if (top < scrollEl.scrollTop) scrollEl.scrollTop = top;
		else if (bottom > scrollEl.scrollTop + this.viewHeight()) scrollEl.scrollTop = bottom - this.viewHeight();
		this.show(false);
	}

	private show(isNew: boolean): void {
		const { scrollTop } = this.params.scrollEl;
		const first = this.indexAt(scrollTop - MARGIN);
		const last = Math.min(this.indexAt(scrollTop + this.viewHeight() + MARGIN) + 1, this.rows.length);
		if (!isNew && first === this.first && last === this.last) return;
		this.first = first;
		this.last = last;
		this.place(this.rows.slice(first, last));
		const isOther = this.measure(this.indexAt(scrollTop));
		this.aboveEl.setCssStyles({ height: `${this.tops[first] ?? 0}px` });
		this.belowEl.setCssStyles({ height: `${this.height() - (this.tops[last] ?? 0)}px` });
		// Rows lower than reckoned may leave room for more.
		if (isOther) this.show(false);
	}

	private place(rows: readonly R[]): void {
		const elements = new Map(
			rows.map((row) => {
				const signature = this.params.signature(row);
				const kept = this.elements.get(row.key);
				return [row.key, kept?.signature === signature ? kept : { signature, el: this.params.render(row) }] as const;
			}),
		);
		this.elements = elements;
		const wanted = [...elements.values()].map(({ el }) => el);
		const there = [...this.rowsEl.children];
		if (wanted.length !== there.length || wanted.some((el, index) => el !== there[index])) this.rowsEl.replaceChildren(...wanted);
	}

	/** Learn the real heights; tell whether one was other than reckoned. The row at the top of the view stays where it is. */
	private measure(anchor: number): boolean {
		const before = this.tops[anchor] ?? 0;
		let isOther = false;
		[...this.rowsEl.children].forEach((el, index) => {
			const row = this.rows[this.first + index];
			const height = el.getBoundingClientRect().height;
			if (row === undefined || height === 0 || this.measured.get(row.key) === height) return;
			this.measured.set(row.key, height);
			isOther = true;
		});
		if (!isOther) return false;
		this.layOut();
		const shift = (this.tops[anchor] ?? 0) - before;
		if (shift !== 0) {
			this.aboveEl.setCssStyles({ height: `${this.tops[this.first] ?? 0}px` });
			this.params.scrollEl.scrollTop += shift;
		}
		return true;
	}

	private layOut(): void {
		const tops = [0];
		let top = 0;
		for (const row of this.rows) {
			top += this.measured.get(row.key) ?? this.params.estimate(row);
			tops.push(top);
		}
		this.tops = tops;
	}

	/** The row at a height, by halving. */
	private indexAt(height: number): number {
		let low = 0;
		let high = Math.max(this.rows.length - 1, 0);
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if ((this.tops[middle] ?? 0) <= height) low = middle;
			else high = middle - 1;
		}
		return low;
	}

	private height(): number {
		return this.tops[this.rows.length] ?? 0;
	}

	private viewHeight(): number {
		return this.params.scrollEl.clientHeight || UNKNOWN_HEIGHT;
	}
}
