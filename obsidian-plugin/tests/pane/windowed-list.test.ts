import { beforeEach, describe, expect, it, vi } from "vitest";
import { WindowedList } from "../../src/pane/windowed-list";

interface TextRow {
	key: string;
	text: string;
}

const rows = (count: number, text = ""): TextRow[] => Array.from({ length: count }, (_, index) => ({ key: `r${index}`, text: `${text}${index}` }));

let scrollEl: HTMLElement;
let list: WindowedList<TextRow>;
const render = vi.fn<(row: TextRow) => HTMLElement>();

beforeEach(() => {
	render.mockReset().mockImplementation((row) => createDiv({ text: row.text }));
	scrollEl = createDiv();
	list = new WindowedList<TextRow>({ scrollEl, estimate: () => 40, render, signature: ({ text }) => text });
});

const texts = (): string[] => [...(scrollEl.children[1]?.children ?? [])].map(({ textContent }) => textContent);
const above = (): number => parseFloat((scrollEl.children[0] as HTMLElement).style.height);
const below = (): number => parseFloat((scrollEl.children[2] as HTMLElement).style.height);
const total = (): number => above() + texts().length * 40 + below();

describe("WindowedList", () => {
	it("holds a screenful of 2,000 rows, and the height of all", () => {
		list.setRows(rows(2000));
		expect(texts().length).toBeLessThan(60);
		expect(texts()[0]).toBe("0");
		expect(total()).toBe(80_000);
	});

	it("shows what is scrolled to", () => {
		list.setRows(rows(2000));
		scrollEl.scrollTop = 40_000;
		scrollEl.dispatchEvent(new Event("scroll"));
		expect(texts()).toContain("1000");
		expect(texts()).not.toContain("0");
		expect(total()).toBe(80_000);
	});

	it("makes only elements of rows that are new or other", () => {
		list.setRows(rows(20));
		const kept = scrollEl.children[1]?.children[3];
		render.mockClear();
		list.setRows(rows(20).map((row) => (row.key === "r5" ? { ...row, text: "other" } : row)));
		expect(render).toHaveBeenCalledTimes(1);
		expect(texts()[5]).toBe("other");
		expect(scrollEl.children[1]?.children[3]).toBe(kept);
	});

	it("reckons with real heights once they are known, and keeps the top row where it is", () => {
		render.mockImplementation((row) => {
			const el = createDiv({ text: row.text });
			el.getBoundingClientRect = () => ({ height: 60 }) as DOMRect;
			return el;
		});
		list.setRows(rows(2000));
		expect(above()).toBe(0);
		const seen = render.mock.calls.length;
		scrollEl.scrollTop = 40_000;
		scrollEl.dispatchEvent(new Event("scroll"));
		// The first rows are 60 high, those between are still reckoned with 40.
		const top = Math.floor((40_000 - seen * 60) / 40) + seen;
		const inside = (40_000 - seen * 60) % 40;
		expect(scrollEl.scrollTop - inside).toBe(above() + (top - Number(texts()[0])) * 60);
	});

	it("reveals a row below and a row above", () => {
		list.setRows(rows(2000));
		list.reveal(500);
		expect(texts()).toContain("500");
		list.reveal(3);
		expect(texts()).toContain("3");
		expect(scrollEl.scrollTop).toBe(120);
	});

	it("bears becoming empty", () => {
		list.setRows(rows(2000));
		scrollEl.scrollTop = 40_000;
		list.setRows([]);
		expect(texts()).toEqual([]);
	});
});
