import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { BridgeError } from "../../src/connection/bridge";
import { Connection } from "../../src/connection/connection";
import type { Endpoint } from "../../src/connection/discovery";
import { STATUS } from "../fakes";
import { FakeDaemon, reply } from "./fake-daemon";

const network = vi.hoisted(() => ({ requestUrl: vi.fn() }));
vi.mock("obsidian", async (original) => ({ ...(await original<object>()), requestUrl: network.requestUrl }));

const DEAD = 2 ** 30;
const endpoint = (over: Partial<Endpoint> = {}): Endpoint => ({ port: 1, token: "secret", pid: process.pid, home: null, vaults: { k: "p" }, ...over });

let daemon: FakeDaemon;
let endpoints: Endpoint[];
let connection: Connection;
let seen: string[];
let publish: () => void;

beforeEach(() => {
	vi.useFakeTimers();
	daemon = new FakeDaemon();
	network.requestUrl.mockImplementation(daemon.requestUrl);
	endpoints = [endpoint()];
	connection = new Connection({
		vault: "k",
		endpoints: () => endpoints,
		watch: (onChange) => {
			publish = onChange;
			return () => undefined;
		},
	});
	seen = [];
	connection.on("state", ({ kind }) => seen.push(kind));
});

afterEach(() => {
	connection.unload();
	vi.useRealTimers();
});

const load = async (): Promise<void> => {
	connection.load();
	await vi.advanceTimersByTimeAsync(0);
};

describe("connecting", () => {
	it("proves the daemon, takes the cursor, then the status, then polls after it", async () => {
		await load();
		expect(seen).toEqual(["online"]);
		expect(daemon.requests.map(({ route }) => route)).toEqual(["hello", "events", "status", "events"]);
		expect(daemon.requests[3]?.query.get("after")).toBe("7");
		expect(daemon.requests[3]?.query.get("wait")).toBe("25");
		expect(daemon.requests[3]?.query.get("client")).toBe(connection.clientId);
		expect(daemon.requests.every(({ query }) => query.get("vault") === "k")).toBe(true);
	});

	it("never sends the bearer to what cannot prove the token", async () => {
		daemon.token = "another";
		await load();
		expect(connection.state).toEqual({ kind: "token-refused", reason: "proof" });
		expect(daemon.requests.map(({ route, headers }) => [route, headers["Authorization"]])).toEqual([["hello", undefined]]);
	});

	it("takes a squatted port for a daemon that is gone when its process is dead", async () => {
		daemon.token = "another";
		endpoints = [endpoint({ pid: DEAD })];
		await load();
		expect(connection.state).toEqual({ kind: "not-running" });
	});

	it.each([
		["no daemon", (): unknown => (endpoints = []), { kind: "not-running" }],
		["a daemon of other vaults", (): unknown => (endpoints = [endpoint({ vaults: { other: "p" } })]), { kind: "wrong-vault" }],
		["a file left by a dead daemon of other vaults", (): unknown => (endpoints = [endpoint({ vaults: { other: "p" }, pid: DEAD })]), { kind: "not-running" }],
		["a daemon that forgot the vault", (): unknown => (daemon.vault = "other"), { kind: "wrong-vault" }],
		["a refused bearer", (): unknown => (daemon.acceptsToken = false), { kind: "token-refused", reason: "bearer" }],
		["a newer protocol", (): unknown => (daemon.protocol = { min: 2, max: 3 }), { kind: "version-mismatch", daemon: "9.9" }],
		["a daemon that does not answer", (): unknown => (daemon.isDown = true), { kind: "offline" }],
		["something else at the port", (): unknown => network.requestUrl.mockResolvedValue(reply(200, "<html>")), { kind: "offline" }],
	])("tells %s", async (_name, arrange, state) => {
		arrange();
		await load();
		await vi.advanceTimersByTimeAsync(700);
		expect(connection.state).toEqual(state);
	});

	it("does not take a daemon that is still opening its vaults for one of other vaults", async () => {
		endpoints = [endpoint({ vaults: {} })];
		await load();
		endpoints = [endpoint()];
		publish();
		await vi.advanceTimersByTimeAsync(0);
		expect(seen).toEqual(["online"]);
	});

	it("tries the next daemon when the first is gone", async () => {
		network.requestUrl.mockImplementation((param: { url: string }) => (param.url.includes(":1/") ? Promise.reject(new Error("refused")) : daemon.requestUrl(param)));
		endpoints = [endpoint({ pid: DEAD }), endpoint({ port: 2 })];
		await load();
		expect(connection.state.kind).toBe("online");
	});
});

describe("listening", () => {
	it("hands events on by type, keeps the status, and ignores types it does not know", async () => {
		await load();
		const changed = vi.fn();
		connection.on("changed", changed);
		const data = { paths: ["A.md"], all: false, generation: 2 };
		daemon.publish({
			cursor: 10,
			reset: false,
			events: [
				{ id: 8, type: "status", data: { state: "indexing", done: 1, total: 3 } },
				{ id: 9, type: "unheard_of", data: {} },
				{ id: 10, type: "changed", data },
			],
		});
		await vi.advanceTimersByTimeAsync(0);
		expect(connection.state).toEqual({ kind: "online", status: { ...STATUS, state: "indexing", done: 1, total: 3 } });
		expect(changed).toHaveBeenCalledExactlyOnceWith(data);
		expect(daemon.requests.at(-1)?.query.get("after")).toBe("10");
	});

	it("asks how many files there are once indexing is done", async () => {
		await load();
		const status = (id: number, state: string): void => daemon.publish({ cursor: id, reset: false, events: [{ id, type: "status", data: { state, done: 1, total: 3 } }] });
		status(8, "indexing");
		await vi.advanceTimersByTimeAsync(0);
		expect(daemon.asked("status")).toBe(1);
		status(9, "ready");
		await vi.advanceTimersByTimeAsync(0);
		expect(daemon.asked("status")).toBe(2);
		expect(connection.state).toEqual({ kind: "online", status: { ...STATUS, done: 1, total: 3 } });
	});

	it("believes events, not a look by chance, on how far the work is: of short work no event tells the end", async () => {
		await load();
		daemon.status = { ...STATUS, state: "indexing", done: 0, total: 1, files: { note: 9 } };
		await connection.refreshStatus();
		expect(connection.state).toEqual({ kind: "online", status: { ...STATUS, files: { note: 9 } } });
	});

	it("a handler that fails keeps neither the others nor the poll from going on", async () => {
		await load();
		vi.spyOn(console, "error").mockReturnValue();
		const heard = vi.fn();
		connection.on("changed", () => {
			throw new Error("bad view");
		});
		connection.on("changed", heard);
		daemon.publish({ cursor: 8, reset: false, events: [{ id: 8, type: "changed", data: {} }] });
		await vi.advanceTimersByTimeAsync(0);
		expect(heard).toHaveBeenCalledOnce();
		expect(connection.state.kind).toBe("online");
	});

	it("asks everything again after a reset", async () => {
		const reset = vi.fn();
		connection.on("reset", reset);
		await load();
		expect(reset).toHaveBeenCalledTimes(1);
		daemon.publish({ cursor: 1, reset: true, events: [] });
		await vi.advanceTimersByTimeAsync(0);
		expect(reset).toHaveBeenCalledTimes(2);
		expect(daemon.asked("status")).toBe(2);
	});

	it("says nothing when nothing changed", async () => {
		await load();
		daemon.publish({ cursor: 7, reset: false, events: [] });
		await vi.advanceTimersByTimeAsync(0);
		expect(seen).toEqual(["online"]);
	});

	it("gives a poll up that hangs", async () => {
		await load();
		await vi.advanceTimersByTimeAsync(35_000);
		expect(connection.state.kind).toBe("offline");
	});
});

describe("coming back", () => {
	it("waits longer each time, and connects at once when a daemon publishes itself", async () => {
		daemon.isDown = true;
		await load();
		await vi.advanceTimersByTimeAsync(60_000);
		const tries = daemon.asked("hello");
		expect(tries).toBeGreaterThan(5);
		expect(tries).toBeLessThan(10);
		daemon.isDown = false;
		publish();
		await vi.advanceTimersByTimeAsync(0);
		expect(connection.state.kind).toBe("online");
	});

	it("is online again in less than a second after a restart", async () => {
		await load();
		daemon.isDown = true;
		connection.reconnect();
		await vi.advanceTimersByTimeAsync(100);
		expect(seen).toEqual(["online", "connecting", "offline"]);
		daemon.isDown = false;
		await vi.advanceTimersByTimeAsync(600);
		expect(connection.state.kind).toBe("online");
	});

	it("tries at once when the window gets the focus, but leaves a connection that works alone", async () => {
		daemon.isDown = true;
		await load();
		await vi.advanceTimersByTimeAsync(20_000);
		daemon.isDown = false;
		window.dispatchEvent(new Event("focus"));
		await vi.advanceTimersByTimeAsync(0);
		expect(connection.state.kind).toBe("online");
		const asked = daemon.requests.length;
		window.dispatchEvent(new Event("focus"));
		await vi.advanceTimersByTimeAsync(0);
		expect(daemon.requests.length).toBe(asked);
	});

	it("drops what an older poll brings", async () => {
		await load();
		const changed = vi.fn();
		connection.on("changed", changed);
		connection.unload();
		daemon.publish({ cursor: 8, reset: false, events: [{ id: 8, type: "changed", data: {} }] });
		await vi.advanceTimersByTimeAsync(60_000);
		expect(changed).not.toHaveBeenCalled();
		expect(daemon.asked("hello")).toBe(1);
	});

	it("says starting until the started daemon serves the vault", async () => {
		endpoints = [];
		await load();
		connection.starting(true);
		await vi.advanceTimersByTimeAsync(1000);
		expect(connection.state.kind).toBe("starting");
		endpoints = [endpoint({ vaults: {} })];
		await vi.advanceTimersByTimeAsync(1000);
		expect(connection.state.kind).toBe("starting");
		endpoints = [endpoint()];
		await vi.advanceTimersByTimeAsync(300);
		expect(seen).toEqual(["not-running", "starting", "online"]);
	});
});

describe("a daemon of other vaults", () => {
	beforeEach(() => {
		daemon.vault = "other";
		endpoints = [endpoint({ vaults: { other: "p" } })];
	});

	it("serves this one too when asked", async () => {
		await load();
		expect(await connection.serveHere("/my/vault")).toBe(true);
		expect(JSON.parse(daemon.requests.find(({ route }) => route === "vaults")?.body ?? "")).toEqual({ path: "/my/vault" });
		endpoints = [endpoint()];
		publish();
		await vi.advanceTimersByTimeAsync(0);
		expect(connection.state.kind).toBe("online");
	});

	it("is asked for nothing before it proved that it knows the token", async () => {
		daemon.token = "another";
		expect(await connection.serveHere("/my/vault")).toBe(false);
		expect(daemon.requests.map(({ route }) => route)).toEqual(["hello"]);
	});
});

describe("asking", () => {
	it("refuses while not connected", async () => {
		await expect(connection.get("backlinks")).rejects.toThrow(BridgeError);
	});

	it("carries the daemon's refusal", async () => {
		await load();
		await expect(connection.post("nowhere", {})).rejects.toMatchObject({ status: 404, category: "not_found", message: "No such route." });
	});

	it("leaves empty values of a query out and joins lists", async () => {
		await load();
		await connection.get("backlinks", { path: "Ä & B.md", section: null, kinds: ["body", "canvas"], folder: "", limit: 5 }).catch(() => undefined);
		const { query } = daemon.requests.at(-1) ?? {};
		expect([...(query ?? [])]).toEqual([
			["path", "Ä & B.md"],
			["kinds", "body,canvas"],
			["limit", "5"],
			["vault", "k"],
		]);
	});
});
