/** Keeps the proposals that the daemon knows, and takes the person's decisions to it. */

import type { Bridge } from "../connection/bridge";
import type { ChosenFile, Proposal, ProposalPage } from "../connection/protocol";
import { sentenceOf } from "../report";

export class Shelf {
	/** `null` before they were asked for. */
	proposals: readonly Proposal[] | null = null;
	failure: string | null = null;
	/** Ids that are being decided. */
	readonly busy = new Set<string>();
	private question = 0;

	constructor(
		private readonly bridge: Bridge,
		private readonly onChange: () => void,
	) {}

	find(id: string): Proposal | undefined {
		return this.proposals?.find((proposal) => proposal.id === id);
	}

	async refresh(): Promise<void> {
		if (this.bridge.state.kind !== "online") return;
		const mine = ++this.question;
		try {
			const { proposals } = await this.bridge.get<ProposalPage>("proposals");
			if (mine !== this.question) return;
			this.proposals = proposals;
			this.failure = null;
		} catch (error) {
			if (mine !== this.question) return;
			this.failure = sentenceOf(error);
		}
		this.onChange();
	}

	/** Let the change be written, or only these parts of it. Throws when it no longer fits. */
	async accept(id: string, files: readonly ChosenFile[] | null): Promise<void> {
		await this.decide(id, "accept", { files });
	}

	async reject(id: string, reason: string | null): Promise<void> {
		await this.decide(id, "reject", { reason });
	}

	/** Whatever comes of it, what is shown is asked for again. */
	private async decide(id: string, decision: "accept" | "reject", body: object): Promise<void> {
		if (this.busy.has(id)) return;
		this.busy.add(id);
		this.onChange();
		try {
			await this.bridge.post<Proposal>(`proposals/${encodeURIComponent(id)}/${decision}`, body);
		} finally {
			this.busy.delete(id);
			await this.refresh();
		}
	}
}
