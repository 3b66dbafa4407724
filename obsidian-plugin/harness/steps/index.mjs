/** The session, step by step; each goes on where the one before it ended. */
import { activityShowsWrites, conflictIsNamed, diffOpens, filtersNarrow, undoRestores, undoSession } from "./activity.mjs";
import { backlinksAppear, clickOpens, mentionIsLinked, outsideChangeShows, ownWriteShows, rowsAreUsed } from "./backlinks.mjs";
import { daemonDiesAndComesBack, indexingIsShown, squattedPort, wrongToken, wrongVault } from "./connection.mjs";
import { agentOpens, editorWrites, reloadAfterClaim, reloadBeforeClaim, typedWhileSaved, unsavedTextStays } from "./live.mjs";
import { parityIsReported } from "./parity.mjs";
import { proposalIsAccepted, proposalIsRejected } from "./proposals.mjs";

export const STEPS = [
	["indexing is shown, then ready", indexingIsShown],
	["backlinks appear, as agents get them", backlinksAppear],
	["a change from outside updates backlinks", outsideChangeShows],
	["a write of an agent updates backlinks", ownWriteShows],
	["a click opens the place", clickOpens],
	["rows are previewed, dragged, filtered, and lead to cards", rowsAreUsed],
	["an unlinked mention is linked", mentionIsLinked],
	["the activity pane shows the writes", activityShowsWrites],
	["a diff opens", diffOpens],
	["undo restores the file", undoRestores],
	["a session is undone as a whole", undoSession],
	["a conflict is named and shown", conflictIsNamed],
	["filters narrow the list", filtersNarrow],
	["a proposal is accepted in part", proposalIsAccepted],
	["a proposal is rejected", proposalIsRejected],
	["an open note is changed through its editor", editorWrites],
	["text that is not saved stays", unsavedTextStays],
	["the plugin is reloaded before a write is claimed: one write", reloadBeforeClaim],
	["the plugin is reloaded while a write is saved: one write", reloadAfterClaim],
	["the person types while a write is saved and its answer is lost: told as it is", typedWhileSaved],
	["an agent opens a heading, and is told what is open", agentOpens],
	["the parity report is shown and saved", parityIsReported],
	["the daemon dies and comes back", daemonDiesAndComesBack],
	["a wrong token is refused", wrongToken],
	["a squatted port gets no token", squattedPort],
	["another vault is told", wrongVault],
];
