/** Where a row leads. */

import type { Place } from "../opening/place";
import type { FileRow, MentionRow } from "./rows";

export type PlaceRow = FileRow | MentionRow;

export function placeOf(row: PlaceRow): Place {
	if (row.kind === "file") return { path: row.path };
	const { path, line, node_id } = row.mention;
	return { path, line, node_id };
}
