import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { watchEndpoints } from "../../src/connection/watching";

let folder: string;
let stop: () => void = () => undefined;
const onChange = vi.fn();

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "sidecar-"));
	onChange.mockClear();
});
afterEach(() => {
	stop();
	rmSync(folder, { recursive: true });
});

/** As the daemon does: under another name first, then at once under its own. */
const publish = (run: string, name = "endpoint.json"): void => {
	mkdirSync(run, { recursive: true });
	writeFileSync(join(run, "new"), "{}");
	renameSync(join(run, "new"), join(run, name));
};
const heard = (): Promise<void> => vi.waitFor(() => expect(onChange).toHaveBeenCalled(), 2000);
/** Wait until what happened was heard of, then forget it. */
const calm = async (): Promise<void> => {
	await new Promise((resolve) => setTimeout(resolve, 100));
	onChange.mockClear();
};

it.each([
	["its folder is there", "home/run", "home"],
	["its home is there", "home", "home"],
	["its home is still to be made", "", "home"],
	["several folders are still to be made", "", "share/deep/home"],
])("tells when a daemon publishes itself: %s", async (_name, there, home) => {
	mkdirSync(join(folder, there), { recursive: true });
	stop = watchEndpoints(join(folder, home), onChange);
	publish(join(folder, home, "run"));
	await heard();
	await calm();
	publish(join(folder, home, "run"));
	await heard();
});

it("tells of daemons that leave a pointer, whose folder comes later", async () => {
	mkdirSync(join(folder, "run"));
	stop = watchEndpoints(folder, onChange);
	publish(join(folder, "run", "elsewhere"), "a.json");
	await heard();
	await calm();
	publish(join(folder, "run", "elsewhere"), "b.json");
	await heard();
});

it("goes on when the folders are deleted and made anew", async () => {
	publish(join(folder, "home", "run"));
	stop = watchEndpoints(join(folder, "home"), onChange);
	rmSync(join(folder, "home"), { recursive: true });
	await heard();
	await calm();
	publish(join(folder, "home", "run"));
	await heard();
});

it("does not care about what else happens in a folder where it waits", async () => {
	stop = watchEndpoints(join(folder, "home"), onChange);
	publish(folder, "other.json");
	mkdirSync(join(folder, "another"));
	await new Promise((resolve) => setTimeout(resolve, 100));
	expect(onChange).not.toHaveBeenCalled();
});

it("hears nothing after its end, and is content where nothing can be watched", async () => {
	mkdirSync(join(folder, "run"));
	watchEndpoints(folder, onChange)();
	publish(join(folder, "run"));
	await new Promise((resolve) => setTimeout(resolve, 100));
	expect(onChange).not.toHaveBeenCalled();
	writeFileSync(join(folder, "file"), "");
	expect(() => watchEndpoints(join(folder, "file"), onChange)()).not.toThrow();
});
