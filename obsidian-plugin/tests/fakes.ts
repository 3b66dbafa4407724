/** Stand-ins for the daemon and the app, and values as the daemon sends them. */

import { App, Notice as MockNotice } from "obsidian-test-mocks/obsidian";
import { ButtonComponent, Modal, type App as ObsidianApp, type Plugin } from "obsidian";
import { vi } from "vitest";
import { BridgeError, type Bridge, type BridgeEvents, type ConnectionState, type Query } from "../src/connection/bridge";
import { Bus } from "../src/connection/bus";
import type { Change, ChangeEntry, FileDiff, Mention, MentionPage, Proposal, ProposedFile, Status } from "../src/connection/protocol";
import { SettingsStore } from "../src/settings/settings-store";

export const STATUS: Status = {
	project: "vault",
	project_id: "p1",
	state: "ready",
	done: 0,
	total: 0,
	files: { note: 2, canvas: 1 },
	generation: 1,
	watching: true,
	last_event: null,
	last_reconcile: null,
	clients: [],
	held: 0,
	fault: null,
	problems: [],
	version: "0.1.0",
	instance_id: "i1",
	change_cursor: null,
	proposals: 0,
};

export const ONLINE: ConnectionState = { kind: "online", status: STATUS };

export function mention(over: Partial<Mention> = {}): Mention {
	return {
		id: "m1",
		path: "A.md",
		title: "A",
		kind: "body",
		line: 4,
		column: 1,
		context: "see Newton here",
		start: 4,
		end: 10,
		heading: null,
		property: null,
		node_id: null,
		node_text: null,
		subpath: null,
		as_written: "Newton",
		alias: null,
		hidden: false,
		modified: 0,
		created: 0,
		...over,
	};
}

export function page(mentions: Mention[], over: Partial<MentionPage> = {}): MentionPage {
	return { target: "Newton.md", generation: 1, total: mentions.length, files: new Set(mentions.map(({ path }) => path)).size, mentions, cursor: null, ...over };
}

export function change(over: Partial<Change> = {}): Change {
	return { id: "c1", at: 0, client: "claude", session: "s1", tool: "write_note", summary: "Wrote A.md", reason: null, state: "done", undone_by: null, undoes: [], entries: [], ...over };
}

export function changeEntry(over: Partial<ChangeEntry> = {}): ChangeEntry {
	return { op: "replace", path: "A.md", to: null, added: 2, removed: 1, hidden: false, ...over };
}

export function proposedFile(over: Partial<ProposedFile> = {}): ProposedFile {
	const lines = [{ kind: "+" as const, text: "more" }];
	return { ...fileDiff({ hunks: [{ id: "h1", old_start: 1, new_start: 1, lines }, { id: "h2", old_start: 9, new_start: 10, lines }] }), whole: false, hidden: false, ...over };
}

export function proposal(over: Partial<Proposal> = {}): Proposal {
	return {
		id: "p1",
		at: 0,
		client: "claude",
		session: "s1",
		tool: "edit_note",
		summary: "Edit A.md",
		reason: null,
		state: "waiting",
		expires: 0,
		stale: false,
		problem: null,
		whole: false,
		files: [proposedFile()],
		decided: null,
		change: null,
		partial: false,
		answer: null,
		...over,
	};
}

export function fileDiff(over: Partial<FileDiff> = {}): FileDiff {
	return { op: "replace", path: "A.md", to: null, binary: false, more: 0, hunks: [], ...over };
}

type Answer = unknown | ((input: unknown) => unknown);

/** Answers routes from a table and remembers what was asked. */
export class FakeBridge implements Bridge {
	readonly clientId = "client";
	readonly asked: { route: string; input: unknown }[] = [];
	private readonly bus = new Bus();

	constructor(
		public answers: Record<string, Answer> = {},
		public state: ConnectionState = ONLINE,
	) {}

	get<T>(route: string, query: Query = {}): Promise<T> {
		return this.answer<T>(route, query);
	}

	post<T>(route: string, body: unknown = {}): Promise<T> {
		return this.answer<T>(route, body);
	}

	on<K extends keyof BridgeEvents>(type: K, handler: (data: BridgeEvents[K]) => void): () => void {
		return this.bus.on(type, handler);
	}

	emit<K extends keyof BridgeEvents>(type: K, data: BridgeEvents[K]): void {
		if (type === "state") this.state = data as ConnectionState;
		this.bus.emit(type, data);
	}

	inputs(route: string): unknown[] {
		return this.asked.filter((one) => one.route === route).map(({ input }) => input);
	}

	private async answer<T>(route: string, input: unknown): Promise<T> {
		this.asked.push({ route, input });
		if (!(route in this.answers)) throw new BridgeError(404, { error: "not_found", message: `No answer for ${route}.` });
		const answer = this.answers[route];
		return (await (typeof answer === "function" ? (answer as (input: unknown) => unknown)(input) : answer)) as T;
	}
}

/** The mock app, as the code under test sees it and as a test can look inside. */
export function fakeApp(files: Record<string, string> = {}): { app: ObsidianApp; mock: App } {
	const mock = App.createConfigured__({ files });
	return { app: mock.asOriginalType__() as ObsidianApp, mock };
}

export function fakeSettings(app: ObsidianApp, stored: unknown = null): SettingsStore {
	const plugin = { app, loadData: vi.fn().mockResolvedValue(stored), saveData: vi.fn().mockResolvedValue(undefined) };
	return new SettingsStore(plugin as unknown as Plugin);
}

/** Begin to drag an element, in an app that offers no dragging of its own; what a note would get where it is dropped. */
export function dragged(mock: App, el: HTMLElement | undefined): string | null {
	let text: string | null = null;
	Object.defineProperty(mock, "dragManager", { value: undefined, configurable: true });
	const dataTransfer = { setData: (_type: string, value: string) => (text = value) };
	el?.dispatchEvent(Object.assign(new Event("dragstart", { bubbles: true, cancelable: true }), { dataTransfer }));
	return text;
}

/** Let promises that are ready go on. */
export async function settle(): Promise<void> {
	for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

/** What the plugin shows outside its panes: notices, dialogs and their buttons. Call it in each test that looks. */
export function watchApp(): { notices: string[]; modals: Modal[]; press: (text: string) => unknown } {
	const notices: string[] = [];
	const modals: Modal[] = [];
	const buttons: { el: HTMLElement; handler: (event: MouseEvent) => unknown }[] = [];
	vi.spyOn(MockNotice.prototype, "constructor__").mockImplementation((message) => void notices.push(typeof message === "string" ? message : message.textContent));
	vi.spyOn(Modal.prototype, "open").mockImplementation(function (this: Modal) {
		modals.push(this);
		this.onOpen();
	});
	vi.spyOn(ButtonComponent.prototype, "onClick").mockImplementation(function (this: ButtonComponent, handler) {
		buttons.push({ el: this.buttonEl, handler });
		return this;
	});
	const press = (text: string): unknown => buttons.findLast(({ el }) => el.textContent === text)?.handler(new MouseEvent("click"));
	return { notices, modals, press };
}
