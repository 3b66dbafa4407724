/** How a daemon proves that it holds the token before the token is sent to it. */

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export function newNonce(): string {
	return randomBytes(16).toString("hex");
}

/** Whether the proof could only be made by one who knows the token. */
export function provesToken(token: string, nonce: string, proof: unknown): boolean {
	if (typeof proof !== "string") return false;
	const expected = createHmac("sha256", token).update(`vault-sidecar hello ${nonce}`).digest();
	const given = Buffer.from(proof, "hex");
	return given.length === expected.length && timingSafeEqual(given, expected);
}
