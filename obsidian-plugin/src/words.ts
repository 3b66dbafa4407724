/** Words that depend on a number. */

/** `1 file`, `2 files`. */
export function counted(count: number, thing: string): string {
	return `${count} ${thing}${count === 1 ? "" : "s"}`;
}
