import { expect, it } from "vitest";
import { newNonce, provesToken } from "../../src/connection/proof";

// Made with Python: hmac.new(b"secret", b"vault-sidecar hello 00ff", "sha256").hexdigest()
const PROOF = "9c3c66b737eecf9c5ac789ab2f9c24fa3809b702eaf70d77ae3a96c966352bcf";

it("accepts what only the token's holder can say", () => expect(provesToken("secret", "00ff", PROOF)).toBe(true));

it.each([
	["another token", "other", "00ff", PROOF],
	["another nonce", "secret", "00fe", PROOF],
	["a short proof", "secret", "00ff", PROOF.slice(2)],
	["no hex", "secret", "00ff", "zz".repeat(32)],
	["nothing", "secret", "00ff", undefined],
])("refuses %s", (_name, token, nonce, proof) => expect(provesToken(token, nonce, proof)).toBe(false));

it("never says the same nonce twice", () => {
	expect(newNonce()).toMatch(/^[0-9a-f]{32}$/);
	expect(newNonce()).not.toBe(newNonce());
});
