/** The words around a mention that a row shows. */

import type { Mention } from "../connection/protocol";

export interface Excerpt {
	before: string;
	match: string;
	after: string;
}

const BEFORE = 40;
const AFTER = 100;

/** The whole context with more context, else one line with the nearest words. */
export function excerptOf({ context, start, end }: Pick<Mention, "context" | "start" | "end">, isWhole: boolean): Excerpt {
	const from = Math.max(0, Math.min(start, context.length));
	const to = Math.max(from, Math.min(end, context.length));
	const whole = { before: context.slice(0, from), match: context.slice(from, to), after: context.slice(to) };
	if (isWhole) return whole;
	const line = (text: string): string => text.replace(/\s+/g, " ");
	return { before: lastWords(line(whole.before).trimStart()), match: line(whole.match), after: firstWords(line(whole.after).trimEnd()) };
}

/** Cut at a blank where one is near, and never inside a character of two code units. */
function lastWords(text: string): string {
	if (text.length <= BEFORE) return text;
	const tail = text.slice(-BEFORE);
	const blank = tail.indexOf(" ");
	return `…${blank >= 0 && blank < BEFORE / 2 ? tail.slice(blank + 1) : tail.replace(/^[\uDC00-\uDFFF]/, "")}`;
}

function firstWords(text: string): string {
	if (text.length <= AFTER) return text;
	const head = text.slice(0, AFTER);
	const blank = head.lastIndexOf(" ");
	return `${blank > AFTER / 2 ? head.slice(0, blank) : head.replace(/[\uD800-\uDBFF]$/, "")}…`;
}
