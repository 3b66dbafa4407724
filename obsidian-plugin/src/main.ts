/** The entry point of the bundle. */

export { VaultSidecarPlugin as default } from "./plugin";
