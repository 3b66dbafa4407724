/** The values that travel between the plugin and the daemon, version 1. Times are milliseconds since the epoch, offsets UTF-16 code units. */

export const PROTOCOL_VERSION = 1;

export type * from "./wire/changes";
export type * from "./wire/events";
export type * from "./wire/mentions";
export type * from "./wire/parity";
export type * from "./wire/proposals";
export type * from "./wire/status";
