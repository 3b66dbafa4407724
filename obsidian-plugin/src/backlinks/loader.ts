/** Asks the daemon for the mentions of a note, page by page; only the newest question's answer counts. */

import type { Bridge, Query } from "../connection/bridge";
import type { Mention, MentionPage } from "../connection/protocol";
import { sentenceOf } from "../report";
import type { SectionName } from "./pane-state";
import type { Contents, SectionContent } from "./rows";

const ROUTES = { linked: "backlinks", unlinked: "mentions" } as const;
const PAGE = 500;
const MOST = 10_000;

export class Loader {
	private current: Contents = { linked: { status: "idle" }, unlinked: { status: "idle" } };
	private readonly asked: Record<SectionName, number> = { linked: 0, unlinked: 0 };

	constructor(
		private readonly bridge: Bridge,
		private readonly onChange: () => void,
	) {}

	get contents(): Contents {
		return this.current;
	}

	/** Forget everything, because the pane shows another note or another selection. Answers on their way are dropped. */
	clear(): void {
		this.asked.linked++;
		this.asked.unlinked++;
		this.current = { linked: { status: "idle" }, unlinked: { status: "idle" } };
	}

	/** Ask for a section. What is shown already stays until all of the new answer is there; else pages show as they come. */
	async load(section: SectionName, query: Query): Promise<void> {
		const number = ++this.asked[section];
		const isMine = (): boolean => number === this.asked[section];
		const isFirst = this.current[section].status !== "loaded";
		if (isFirst) this.put(section, { status: "loading" });
		const mentions: Mention[] = [];
		let cursor: string | null = null;
		try {
			do {
				const page: MentionPage = await this.bridge.get<MentionPage>(ROUTES[section], { ...query, limit: PAGE, cursor });
				if (!isMine()) return;
				mentions.push(...page.mentions);
				cursor = page.mentions.length > 0 && mentions.length < MOST ? page.cursor : null;
				if (isFirst || cursor === null) this.put(section, { status: "loaded", mentions: [...mentions], total: page.total });
			} while (cursor !== null);
		} catch (error) {
			if (isMine()) this.put(section, { status: "failed", message: sentenceOf(error) });
		}
	}

	private put(section: SectionName, content: SectionContent): void {
		this.current = { ...this.current, [section]: content };
		this.onChange();
	}
}
