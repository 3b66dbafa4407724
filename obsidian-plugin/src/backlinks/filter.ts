/** The filter of the pane's search field: words that must be there, and `-words` that must not. */

import type { Mention } from "../connection/protocol";

export type MentionFilter = (mention: Mention) => boolean;

export function filterFor(query: string): MentionFilter {
	const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "" && word !== "-");
	const wanted = words.filter((word) => !word.startsWith("-"));
	const unwanted = words.filter((word) => word.startsWith("-")).map((word) => word.slice(1));
	if (words.length === 0) return () => true;
	return (mention) => {
		const text = textOf(mention);
		return wanted.every((word) => text.includes(word)) && !unwanted.some((word) => text.includes(word));
	};
}

function textOf({ path, title, context, heading, property, node_text, subpath }: Mention): string {
	return [path, title, context, heading, property, node_text, subpath].filter((part) => part !== null).join("\n").toLowerCase();
}
