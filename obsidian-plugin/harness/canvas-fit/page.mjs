/** Shows canvases with json-canvas-viewer and measures what stands on their text cards. */
import { JSONCanvasViewer, parser } from "json-canvas-viewer";

/** Nothing may give way: the viewer would squeeze what scrolls by itself, and the page skip what is out of sight. */
const STIFF = ".JCV-parsed-content-wrapper > * { flex-shrink: 0; } .JSON-Canvas-Viewer .JCV-overlay-container { content-visibility: visible; }";
/** The app breaks long words and lines of code; the viewer lets them run out of the card. */
const BROKEN = ".JCV-parsed-content-wrapper > * { overflow-wrap: anywhere; min-width: 0; } .JCV-parsed-content-wrapper pre { white-space: pre-wrap; }";
const CALLOUT = /<blockquote>\s*<p>\[!(\w+)\][+-]?[ \t]*([^\n<]*)(?:<br>)?\s*/g;
const FENCE = /^\s*(```|~~~)/;

/** Show a canvas with more CSS; return for each text card its size and that of what stands on it. */
window.measure = async (canvas, css) => {
	const container = document.getElementById("board");
	const viewer = new JSONCanvasViewer({ container, canvas, parser: shown, extraCSS: STIFF + BROKEN + css, loading: "normal", noAttachmentRelocation: true });
	const cards = canvas.nodes.filter((node) => node.type === "text");
	const found = () => cards.map((card) => document.getElementById(card.id)?.querySelector(".JCV-parsed-content-wrapper"));
	while (!found().every(Boolean)) await new Promise((resolve) => setTimeout(resolve, 10));
	await document.fonts.ready;
	const sizes = found().map((content, number) => {
		const inner = [content, ...content.querySelectorAll("*")];
		return {
			...cards[number],
			high: Math.max(0, ...inner.map((one) => over(one, "Height", "overflowY"))),
			wide: over(content, "Width"),
			used: content.scrollHeight,
		};
	});
	const nodes = document.querySelectorAll(".JCV-overlay-container").length;
	viewer.dispose();
	return { sizes, nodes };
};

/** By how much what is inside is larger; of what lies in lines only that which hides it counts. */
function over(element, side, overflow) {
	if (overflow && getComputedStyle(element)[overflow] === "visible") return 0;
	return element[`scroll${side}`] - element[`client${side}`];
}

/** Markdown as the app reads it where it differs from others: links, callouts, and lines that end where they end. */
async function shown(text) {
	let inCode = false;
	const lines = text.split(/\r\n|\r|\n/).map((line) => {
		if (FENCE.test(line)) inCode = !inCode;
		if (inCode || FENCE.test(line)) return line;
		const plain = line.replace(/!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, "$1");
		return plain.trim() ? `${plain}  ` : plain;
	});
	const html = await parser(lines.join("\n"));
	return html.replace(CALLOUT, (_all, kind, title) => `<blockquote><p class="callout-title">${title || kind}</p><p>`).replaceAll("<p></p>", "");
}
