/** Where the app and the daemon differ. */

export interface ParityDifference {
	path: string;
	kind: "resolved" | "unresolved" | "tag";
	what: string;
	app: number;
	sidecar: number;
}

export interface ParityReport {
	files: number;
	differences: ParityDifference[];
	total: number;
	report: string;
}
