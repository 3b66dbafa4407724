/** The tab of this plugin in the app's settings. */

import { Component, PluginSettingTab, SecretComponent, type App, type Plugin, type Setting, type SettingDefinitionItem } from "obsidian";
import type { AccessRules } from "../connection/protocol";
import { isExecutable } from "../daemon/command";
import type { PartContext } from "../parts";
import { report } from "../report";
import { appearance } from "../status/appearance";
import { McpignoreModal } from "./mcpignore-modal";
import type { Settings } from "./settings";

export class SettingsPane extends Component {
	constructor(private readonly context: PartContext) {
		super();
	}

	override onload(): void {
		const { app, plugin } = this.context;
		plugin.addSettingTab(new SidecarSettingTab(app, plugin, this.context));
	}
}

type Item = SettingDefinitionItem<keyof Settings>;

export class SidecarSettingTab extends PluginSettingTab {
	constructor(
		app: App,
		plugin: Plugin,
		private readonly context: PartContext,
	) {
		super(app, plugin);
		this.icon = "plug";
	}

	override getSettingDefinitions(): Item[] {
		return [this.connection(), this.shown(), this.notifications(), this.access()];
	}

	override getControlValue(key: string): unknown {
		return this.context.settings.has(key) ? this.context.settings.get(key) : undefined;
	}

	override async setControlValue(key: string, value: unknown): Promise<void> {
		if (this.context.settings.has(key)) await this.context.settings.set(key, value as never);
	}

	private connection(): Item {
		return {
			type: "group",
			heading: "Connection",
			items: [
				{ name: "State", desc: "What the sidecar of this vault is doing.", aliases: ["Status"], render: (setting) => this.renderState(setting) },
				{ name: "Start with the vault", desc: "Start the sidecar when this vault opens. On this computer only.", control: { type: "toggle", key: "startDaemon" } },
				{
					name: "Path of the sidecar",
					desc: "The program vault-sidecar; leave empty to look where installers put it. On this computer only.",
					control: { type: "text", key: "command", validate: (path: string) => (path === "" || isExecutable(path) ? undefined : "There is no program at this path.") },
				},
				{
					name: "Port by hand",
					desc: "Only where the app may not read files outside the vault, as in a Flatpak or Snap; 0 finds the port by itself. On this computer only.",
					control: { type: "number", key: "port", min: 0, max: 65_535, validate: (port: number) => (Number.isInteger(port) ? undefined : "Use a whole number.") },
				},
				{ name: "Token by hand", desc: "Goes with the port by hand. Kept in the keychain; only the name of the secret is kept with the settings.", render: (setting) => this.renderToken(setting) },
			],
		};
	}

	private shown(): Item {
		return {
			type: "group",
			heading: "What to show",
			items: [
				{ name: "Status bar", desc: "Show the state of the sidecar in the status bar.", control: { type: "toggle", key: "showStatusBar" } },
				{ name: "Unread changes", desc: "Show how many changes by agents you have not looked at.", control: { type: "toggle", key: "showUnread" } },
				{ name: "Waiting proposals", desc: "Show in the status bar how many proposals of agents wait for you.", control: { type: "toggle", key: "showWaiting" } },
				{ name: "Unlinked mentions", desc: "Show where a note is named without a link.", control: { type: "toggle", key: "showUnlinked" } },
				{ name: "Canvas cards", desc: "Show mentions on the cards of canvases.", control: { type: "toggle", key: "showCanvas" } },
				{ name: "Hidden files", desc: "Show mentions in files that are hidden from agents, with a mark.", control: { type: "toggle", key: "showHidden" } },
			],
		};
	}

	private notifications(): Item {
		return {
			type: "group",
			heading: "Notifications",
			items: [
				{ name: "Every change", desc: "Tell each change an agent makes.", control: { type: "toggle", key: "notifyChanges" } },
				{ name: "Proposals", desc: "Tell when an agent waits for your approval.", control: { type: "toggle", key: "notifyProposals" } },
				{ name: "Trouble", desc: "Tell when the sidecar does not start or a change could not be written.", control: { type: "toggle", key: "notifyTrouble" } },
			],
		};
	}

	private access(): Item {
		return {
			type: "group",
			heading: "Access of agents",
			items: [
				{ name: "Rules", desc: "What agents may not see, may not change, or may change only after you approve.", aliases: ["Deny", "Read only", "Ask", "Private"], render: (setting) => this.renderRules(setting) },
				{ name: "Ignore file", desc: "Lines of .mcpignore hide files from agents, as .gitignore hides them from Git.", action: () => new McpignoreModal(this.app).open() },
			],
		};
	}

	private renderState(setting: Setting): () => void {
		const { connection, daemon } = this.context;
		const show = (): void => {
			const { sentence } = appearance(connection.state);
			setting.setDesc(sentence);
		};
		show();
		setting.addButton((button) => button.setButtonText("Start").onClick(() => void report(() => daemon.start())));
		setting.addButton((button) => button.setButtonText("Reconnect").onClick(() => connection.reconnect()));
		return connection.on("state", show);
	}

	private renderToken(setting: Setting): void {
		const { settings } = this.context;
		setting.addComponent((el) => new SecretComponent(this.app, el).setValue(settings.get("tokenSecret")).onChange((name) => void settings.set("tokenSecret", name)));
	}

	private renderRules(setting: Setting): void {
		if (this.context.connection.state.kind !== "online") {
			setting.setDesc("Shown when the sidecar is connected.");
			return;
		}
		void report(async () => {
			const rules = await this.context.connection.get<AccessRules>("access");
			setting.setDesc(wordsOf(rules));
		});
	}
}

/** One line for each kind of rule. The rules are edited in the sidecar's own configuration, which agents cannot reach. */
function wordsOf({ deny, read_only, ask, mcpignore }: AccessRules): DocumentFragment {
	return createFragment((fragment) => {
		const lines: [string, readonly string[]][] = [
			["Hidden", [...deny, ...mcpignore]],
			["Read only", read_only],
			["Only after approval", ask],
		];
		for (const [name, rules] of lines) fragment.createDiv({ text: `${name}: ${rules.length > 0 ? rules.join(", ") : "nothing"}` });
		fragment.createDiv({ text: "Notes with the property private are hidden too." });
	});
}
