/** Tells the person's own changes from those of agents. */

/** The name under which the daemon records what was done through this plugin. */
const PERSON = "Obsidian";

export function isPerson(client: string): boolean {
	return client === PERSON;
}

export function nameOf(client: string): string {
	return isPerson(client) ? "You" : client || "Unnamed agent";
}
