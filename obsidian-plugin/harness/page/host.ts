/** A window of the app with one vault: loads the built plugin as the app does, shows its panes, and opens notes. */

import { call, MODULES } from "./node";
import { obsidian, pressIn } from "./obsidian";

/* eslint-disable @typescript-eslint/no-explicit-any */
const element = (selector: string): HTMLElement => document.querySelector<HTMLElement>(selector)!;

class Host {
	readonly app: any;
	/** What the plugin opened: path and line. */
	readonly opened: { path: string; line: number | null; pane: unknown }[] = [];
	plugin: any = null;
	/** Saving waits for this. */
	hold: Promise<void> = Promise.resolve();
	/** How many changes were made through editors. */
	transactions = 0;
	/** What the app was asked to preview: source, path and line. */
	readonly previewed: { source: string; path: string; line: number | null }[] = [];
	/** The card of a canvas to which the plugin jumped. */
	card: string | null = null;
	private readonly tabs = new Map<string, any>();
	private readonly notes = new Map<string, any>();
	private active: any = null;

	constructor(private readonly folder: string) {
		const { App, FileSystemAdapter } = obsidian;
		const files = Object.fromEntries(call<string[]>("files", folder).map((path) => [path, ""]));
		this.app = App.createConfigured__({ adapter: FileSystemAdapter.create__(folder), files });
		const { workspace, vault } = this.app;
		this.app.loadLocalStorage = (key: string) => JSON.parse(localStorage.getItem(key) ?? "null");
		this.app.saveLocalStorage = (key: string, value: unknown) => localStorage.setItem(key, JSON.stringify(value));
		const known = vault.getFileByPath.bind(vault);
		vault.getFileByPath = (path: string) => {
			if (!call<boolean>("exists", `${folder}/${path}`)) return null;
			if (known(path) === null) this.makeKnown(path);
			return known(path);
		};
		vault.read = vault.cachedRead = async (file: any) => call<string>("read", `${folder}/${file.path}`);
		vault.rename = async (file: any, to: string) => {
			call("rename", `${folder}/${file.path}`, `${folder}/${to}`);
			vault.trigger("rename", this.moved(file.path, to), file.path);
		};
		this.app.fileManager.trashFile = async (file: any) => call("rename", `${folder}/${file.path}`, `${folder}/.trash/${file.name}`);
		document.addEventListener("keydown", (event) => {
			for (const { view } of this.tabs.values()) if (view.containerEl.contains(document.activeElement)) pressIn(view.scope, event);
		});
		window.addEventListener("resize", () => this.tabs.forEach(({ view }) => view.onResize()));
		vault.create = async (path: string, text: string) => call("write", `${folder}/${path}`, text);
		// No dragging of the app's own, as where its internal API has changed: then a link is dragged as text.
		Object.defineProperty(this.app, "dragManager", { value: undefined });
		this.app.fileManager.generateMarkdownLink = (file: any) => `[[${file.basename}]]`;
		const main = element("#main");
		main.addEventListener("dragover", (event) => event.preventDefault());
		main.addEventListener("drop", (event) => {
			event.preventDefault();
			this.type(event.dataTransfer?.getData("text/plain") ?? "");
		});
		workspace.on("hover-link", ({ source, linktext, state }: any) => void this.previewed.push({ source, path: linktext, line: state.scroll ?? null }));
		workspace.getMostRecentLeaf = () => this.active?.leaf ?? null;
		workspace.getActiveFile = () => this.active?.file ?? null;
		workspace.getActiveViewOfType = (type: any) => (this.active instanceof type ? this.active : null);
		workspace.ensureSideLeaf = (type: string) => this.showPane(type);
		workspace.openLinkText = async (path: string, _source: string, pane: unknown, state: any) => {
			this.opened.push({ path, line: state?.eState?.line ?? null, pane });
			await this.open(path.replace(/#.*$/, ""));
		};
	}

	/** Run the bundle as the app does, with modules of the app and of Node at hand. */
	async load(code: string, manifest: object): Promise<void> {
		const module = { exports: {} as any };
		const require = (id: string): unknown => {
			const found = id === "obsidian" ? obsidian : (MODULES[id] ?? MODULES[`node:${id}`]);
			if (found === undefined) throw new Error(`There is no module ${id}.`);
			return found;
		};
		new Function("module", "exports", "require", code)(module, module.exports, require);
		this.plugin = new module.exports.default(this.app, manifest);
		const addItem = this.plugin.addStatusBarItem.bind(this.plugin);
		this.plugin.addStatusBarItem = () => {
			const el: HTMLElement = addItem();
			el.className = "status-bar-item plugin-vault-sidecar";
			element("#status").append(el);
			this.plugin.register(() => el.remove());
			return el;
		};
		await this.plugin.onload();
		this.plugin.loaded__ = true;
		this.plugin.children__.forEach((child: any) => child.load());
		this.app.workspace.setLayoutReady__();
	}

	/** Take the plugin away; its panes go with it. */
	unload(): void {
		this.tabs.forEach(({ view }) => view.unload());
		this.tabs.clear();
		element("#right").replaceChildren();
		element("#tabs").replaceChildren();
		this.plugin.unload();
	}

	run(command: string): void {
		this.plugin.commands__.get(command).callback();
	}

	/** Open a note in the main area, as a click in the file list does. */
	async open(path: string): Promise<void> {
		const file = this.app.vault.getFileByPath(path);
		if (file === null) throw new Error(`There is no ${path}.`);
		const view = this.notes.get(path) ?? this.noteView(file);
		this.notes.set(path, view);
		this.active = view;
		this.app.workspace.activeLeaf = view.leaf;
		this.app.workspace.activeEditor = view;
		this.render();
		this.app.workspace.trigger("file-open", file);
		this.app.workspace.trigger("active-leaf-change", view.leaf);
		this.app.workspace.trigger("layout-change");
	}

	/** A file was changed by somebody else: a note that is open shows it, as long as nobody has typed in it. */
	changed(path: string): void {
		const view = this.notes.get(path);
		if (view === undefined || view.dirty__) return;
		if (call<boolean>("exists", `${this.folder}/${path}`)) view.setViewData(call<string>("read", `${this.folder}/${path}`), false);
		else this.notes.delete(path);
		this.render();
	}

	/** Type at the end of the open note, without saving. */
	type(text: string): void {
		const { editor } = this.active;
		const end = editor.offsetToPos(editor.getValue().length);
		editor.replaceRange(text, end);
		this.active.dirty__ = true;
		this.render();
	}

	/** Take a text away again from the end of the open note, which then is as saved. */
	untype(text: string): void {
		const { editor } = this.active;
		const all: string = editor.getValue();
		editor.replaceRange("", editor.offsetToPos(all.length - text.length), editor.offsetToPos(all.length));
		this.active.dirty__ = false;
		this.render();
	}

	/** What the editor of the open note holds. */
	text(): string {
		return this.active.editor.getValue();
	}

	save(): Promise<void> {
		return this.active.save();
	}

	private noteView(file: any): any {
		const leaf = this.app.workspace.getLeaf("tab");
		if (file.extension === "canvas") return this.canvasView(leaf, file);
		const view = obsidian.MarkdownView.create2__(leaf);
		view.file = file;
		view.dirty__ = false;
		view.setViewData(call<string>("read", `${this.folder}/${file.path}`), true);
		view.save = async () => {
			await this.hold;
			view.data = view.editor.getValue();
			call("write", `${this.folder}/${file.path}`, view.data);
			view.dirty__ = false;
			this.render();
		};
		const change = view.editor.transaction.bind(view.editor);
		view.editor.transaction = (transaction: unknown) => {
			this.transactions++;
			view.dirty__ = true;
			change(transaction);
		};
		leaf.view = view;
		leaf.getViewState = () => ({ type: "markdown", state: { file: file.path, mode: "source" } });
		return view;
	}

	/** The app's canvas view, as far as the plugin knows it: its cards appear a moment after it does. */
	private canvasView(leaf: any, file: any): any {
		const { nodes } = JSON.parse(call<string>("read", `${this.folder}/${file.path}`)) as { nodes: { id: string }[] };
		const canvas = { nodes: new Map<string, string>(), selectOnly: (card: string) => void (this.card = card), zoomToSelection: () => undefined };
		setTimeout(() => nodes.forEach(({ id }) => canvas.nodes.set(id, id)), 50);
		leaf.getViewState = () => ({ type: "canvas", state: { file: file.path } });
		leaf.view = { leaf, file, canvas, editor: { getValue: () => "(canvas)", getSelection: () => "" } };
		return leaf.view;
	}

	private render(): void {
		const main = element("#main");
		main.replaceChildren();
		if (this.active === null) return;
		main.createDiv({ cls: "inline-title", text: this.active.file.basename });
		main.createDiv({ cls: "note-text", text: this.active.editor.getValue().replace(/^---\n[\s\S]*?\n---\n/, "") });
	}

	private moved(from: string, to: string): any {
		this.makeKnown(to);
		const file = this.app.vault.getFileByPath(to);
		const view = this.notes.get(from);
		if (view !== undefined) {
			view.file = file;
			this.notes.delete(from);
			this.notes.set(to, view);
		}
		return file;
	}

	private makeKnown(path: string): void {
		const { vault } = this.app;
		const parts = path.split("/").slice(0, -1);
		parts.forEach((_part, index) => {
			const folder = parts.slice(0, index + 1).join("/");
			if (vault.getAbstractFileByPath(folder) === null) vault.createFolderSync__(folder);
		});
		vault.createSync__(path, "");
	}

	private async showPane(type: string): Promise<any> {
		if (!this.tabs.has(type)) await this.makePane(type);
		for (const [other, { view, tabEl }] of this.tabs) {
			view.containerEl.toggle(other === type);
			tabEl.toggleClass("is-active", other === type);
		}
		this.app.workspace.trigger("layout-change");
		this.tabs.forEach(({ view }) => view.onResize());
		return this.tabs.get(type).leaf;
	}

	private async makePane(type: string): Promise<void> {
		const leaf = this.app.workspace.getLeaf("tab");
		const view = this.plugin.views__.get(type)(leaf);
		leaf.view = view;
		await leaf.setViewState({ type, state: {} });
		view.containerEl.addClass("workspace-leaf-content");
		view.contentEl.addClass("view-content");
		element("#right").append(view.containerEl);
		const tabEl = element("#tabs").createEl("button", { cls: "clickable-icon workspace-tab", attr: { "aria-label": view.getDisplayText() } });
		obsidian.setIcon(tabEl, view.getIcon());
		tabEl.addEventListener("click", () => void this.showPane(type));
		this.tabs.set(type, { leaf, view, tabEl });
		view.load();
		await view.onOpen();
	}
}

Object.assign(globalThis, { Host });
