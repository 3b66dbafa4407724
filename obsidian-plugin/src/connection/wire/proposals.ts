/** What agents would like to change. */

import type { FileDiff } from "./changes";

export type ProposalState = "waiting" | "accepted" | "rejected" | "expired" | "failed";

export interface ProposedFile extends FileDiff {
	/** Its hunks can only be accepted together. */
	whole: boolean;
	/** Agents may not see it. */
	hidden: boolean;
}

export interface Proposal {
	id: string;
	at: number;
	client: string;
	session: string;
	tool: string;
	summary: string;
	reason: string | null;
	state: ProposalState;
	expires: number;
	/** As things are it cannot be accepted; `problem` says why. */
	stale: boolean;
	problem: string | null;
	/** No part of it can be chosen. */
	whole: boolean;
	files: ProposedFile[];
	decided: number | null;
	/** The change that carried it out. */
	change: string | null;
	/** Carried out without some of its hunks. */
	partial: boolean;
	/** Why it was rejected. */
	answer: string | null;
}

/** A file of which these hunks are accepted; `null`: all of it. */
export interface ChosenFile {
	path: string;
	hunks: string[] | null;
}

export interface ProposalPage {
	proposals: Proposal[];
}
