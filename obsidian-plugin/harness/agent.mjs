/** An AI client that speaks MCP over HTTP with the daemon. */
import { setTimeout as sleep } from "node:timers/promises";

export class Agent {
	#address;
	#token;
	#name;
	#session = null;
	#id = 0;

	constructor({ port, token, name }) {
		this.#address = `http://127.0.0.1:${port}/mcp`;
		this.#token = token;
		this.#name = name;
	}

	async connect() {
		await this.#ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: this.#name, version: "1" } });
		await this.#send({ jsonrpc: "2.0", method: "notifications/initialized" });
	}

	/** Call a tool; its text, or an error when the tool says one. */
	async call(name, args) {
		const { content, isError } = await this.#ask("tools/call", { name, arguments: args });
		const text = content.map((block) => block.text ?? "").join("\n");
		if (isError) throw new Error(text);
		return text;
	}

	/** Call a tool, and again as it advises where the app has not saved the note yet. */
	async callOnceSaved(name, args) {
		for (let attempt = 1; ; attempt++) {
			try {
				return await this.call(name, args);
			} catch (error) {
				if (attempt === 20 || !String(error).includes("unsaved changes in Obsidian")) throw error;
				await sleep(200);
			}
		}
	}

	async #ask(method, params) {
		const response = await this.#send({ jsonrpc: "2.0", id: ++this.#id, method, params });
		this.#session ??= response.headers.get("mcp-session-id");
		const text = await response.text();
		const messages = response.headers.get("content-type").startsWith("text/event-stream")
			? text.split("\n").filter((line) => line.startsWith("data:")).map((line) => JSON.parse(line.slice(5)))
			: [JSON.parse(text)];
		const { result, error } = messages.find(({ id }) => id === this.#id) ?? {};
		if (error) throw new Error(error.message);
		return result;
	}

	async #send(message) {
		const headers = { Authorization: `Bearer ${this.#token}`, "Content-Type": "application/json", Accept: "application/json, text/event-stream", ...(this.#session ? { "Mcp-Session-Id": this.#session } : {}) };
		const response = await fetch(this.#address, { method: "POST", headers, body: JSON.stringify(message) });
		if (!response.ok) throw new Error(`${message.method}: ${response.status} ${await response.text()}`);
		return response;
	}
}
