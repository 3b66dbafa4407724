/** Words moments as clock times, which stay true without a timer. */

/** `14:32` for today, `28 Nov, 14:32` for other days, as the language of the app has it. */
export function when(at: number, now: number): string {
	const date = new Date(at);
	const time: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };
	const isToday = date.toDateString() === new Date(now).toDateString();
	return date.toLocaleString(undefined, isToday ? time : { day: "numeric", month: "short", ...time });
}

/** The whole moment, for a tooltip. */
export function exactly(at: number): string {
	return new Date(at).toLocaleString();
}
