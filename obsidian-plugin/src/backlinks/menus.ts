/** The menus of the backlinks pane. */

import { FuzzySuggestModal, getAllTags, Menu, type App, type PaneType } from "obsidian";
import type { MentionKind } from "../connection/protocol";
import { openIfThere } from "../opening/place";
import { KINDS, SORTS, type PaneState, type Sort } from "./pane-state";
import { placeOf, type PlaceRow } from "./row-place";

export type Change = (change: Partial<PaneState>) => void;

export function sortMenu(state: PaneState, change: Change): Menu {
	const menu = new Menu();
	for (const [sort, title] of Object.entries(SORTS) as [Sort, string][]) {
		if (sort === "modified" || sort === "created" || sort === "relevance") menu.addSeparator();
		menu.addItem((item) => item.setTitle(title).setChecked(state.sort === sort).onClick(() => change({ sort })));
	}
	return menu;
}

/** `sections` are the headings and blocks that can be meant by "only this". */
export function filterMenu(app: App, state: PaneState, sections: readonly string[], change: Change): Menu {
	const menu = new Menu();
	for (const section of sections) {
		const isOn = state.section === section;
		menu.addItem((item) =>
			item
				.setTitle(`Only #${section}`)
				.setIcon("heading")
				.setChecked(isOn)
				.onClick(() => change({ section: isOn ? null : section })),
		);
	}
	if (sections.length > 0) menu.addSeparator();
	for (const [kind, title] of Object.entries(KINDS) as [MentionKind, string][]) {
		menu.addItem((item) =>
			item
				.setTitle(title)
				.setChecked(state.kinds.length === 0 || state.kinds.includes(kind))
				.onClick(() => change({ kinds: toggled(state.kinds, kind) })),
		);
	}
	menu.addSeparator();
	menu.addItem((item) =>
		item
			.setTitle("Only in folder…")
			.setIcon("folder")
			.onClick(() => new Choice(app, app.vault.getAllFolders().map(({ path }) => path), "Folder", (folder) => change({ folder })).open()),
	);
	menu.addItem((item) =>
		item
			.setTitle("Only with tag…")
			.setIcon("tag")
			.onClick(() => new Choice(app, tagsOf(app), "Tag", (tag) => change({ tag })).open()),
	);
	return menu;
}

/** The menu of a file or a mention. */
export function rowMenu(app: App, row: PlaceRow, change: Change, link: (ids: readonly string[]) => void): Menu {
	const menu = new Menu();
	const add = (section: string, title: string, icon: string, action: () => void): void => {
		menu.addItem((item) => item.setSection(section).setTitle(title).setIcon(icon).onClick(action));
	};
	const open = (title: string, icon: string, pane: PaneType): void => add("open", title, icon, () => void openIfThere(app, placeOf(row), pane));
	open("Open in new tab", "file-plus", "tab");
	open("Open to the right", "separator-vertical", "split");
	open("Open in new window", "picture-in-picture-2", "window");
	if (row.kind === "file" && row.linkable.length > 0) add("action", "Link all in this note", "link", () => link(row.linkable));
	const subpath = row.kind === "mention" ? row.mention.subpath : null;
	if (subpath !== null) add("action", `Only ${subpath}`, "heading", () => change({ section: subpath.replace(/^#/, "") }));
	return menu;
}

/** All kinds are on when none is named; switching one off names the others, and naming all is naming none. */
export function toggled(kinds: readonly MentionKind[], kind: MentionKind): MentionKind[] {
	const all = Object.keys(KINDS) as MentionKind[];
	const on = kinds.length === 0 ? all : kinds;
	const next = all.filter((one) => (one === kind ? !on.includes(one) : on.includes(one)));
	return next.length === all.length ? [] : next;
}

class Choice extends FuzzySuggestModal<string> {
	constructor(
		app: App,
		private readonly choices: readonly string[],
		placeholder: string,
		private readonly onChoice: (choice: string) => void,
	) {
		super(app);
		this.setPlaceholder(placeholder);
	}

	override getItems(): string[] {
		return [...this.choices];
	}

	override getItemText(item: string): string {
		return item;
	}

	override onChooseItem(item: string): void {
		this.onChoice(item);
	}
}

function tagsOf(app: App): string[] {
	const found = app.vault.getMarkdownFiles().flatMap((file) => {
		const cache = app.metadataCache.getFileCache(file);
		return (cache === null ? null : getAllTags(cache)) ?? [];
	});
	return [...new Set(found)].sort((one, other) => one.localeCompare(other));
}
