/** The types under which the workspace keeps our panes. */

export const BACKLINKS_VIEW = "vault-sidecar-backlinks";
export const ACTIVITY_VIEW = "vault-sidecar-activity";
export const PROPOSALS_VIEW = "vault-sidecar-proposals";
