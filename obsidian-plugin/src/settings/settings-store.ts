/** Keeps the settings: what may travel in `data.json`, what belongs to this machine in local storage. */

import type { Plugin } from "obsidian";
import { MACHINE_DEFAULTS, SHARED_DEFAULTS, withStored, type Settings } from "./settings";

const MACHINE_KEY = "vault-sidecar-machine";

interface Listener {
	keys: readonly (keyof Settings)[];
	handler: () => void;
}

export class SettingsStore {
	private values: Settings = { ...SHARED_DEFAULTS, ...MACHINE_DEFAULTS };
	private readonly listeners = new Set<Listener>();

	constructor(private readonly plugin: Plugin) {}

	/** Read the stored settings, at start or because another program changed them. */
	async load(): Promise<void> {
		const before = this.values;
		const machine: unknown = this.plugin.app.loadLocalStorage(MACHINE_KEY);
		this.values = { ...withStored(SHARED_DEFAULTS, await this.plugin.loadData()), ...withStored(MACHINE_DEFAULTS, machine) };
		this.tell((Object.keys(before) as (keyof Settings)[]).filter((key) => before[key] !== this.values[key]));
	}

	get<K extends keyof Settings>(key: K): Settings[K] {
		return this.values[key];
	}

	has(key: string): key is keyof Settings {
		return key in this.values;
	}

	async set<K extends keyof Settings>(key: K, value: Settings[K]): Promise<void> {
		this.values = { ...this.values, [key]: value };
		if (key in MACHINE_DEFAULTS) this.plugin.app.saveLocalStorage(MACHINE_KEY, this.only(MACHINE_DEFAULTS));
		else await this.plugin.saveData(this.only(SHARED_DEFAULTS));
		this.tell([key]);
	}

	/** Call back after one of these settings changed; returns how to stop. */
	on(keys: Listener["keys"], handler: () => void): () => void {
		const listener = { keys, handler };
		this.listeners.add(listener);
		return () => this.listeners.delete(listener);
	}

	private only(part: object): Record<string, unknown> {
		return Object.fromEntries(Object.entries(this.values).filter(([key]) => key in part));
	}

	private tell(changed: readonly (keyof Settings)[]): void {
		for (const { keys, handler } of [...this.listeners]) {
			if (keys.some((key) => changed.includes(key))) handler();
		}
	}
}
