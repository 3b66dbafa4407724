/** Serves the page, carries out its calls of Node, and sends its requests as the app's main process would: without an Origin. */
import { build } from "esbuild";
import { spawn } from "node:child_process";
import { createHash, createHmac, randomBytes } from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";

const HERE = import.meta.dirname;
const PLUGIN = path.dirname(HERE);
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
/** Drawn by the app itself, not by its icon set. */
const OWN_ICONS = {
	"links-coming-in": '<svg viewBox="0 0 24 24"><path fill="none" stroke="currentColor" stroke-width="2" d="M9 17H7A5 5 0 0 1 7 7h2M8 12h13m-4-4-4 4 4 4"/></svg>',
	"right-triangle": '<svg viewBox="0 0 24 24" width="10" height="10"><path fill="currentColor" d="M3 7h18l-9 11z"/></svg>',
};

/** Build the page and serve it on a free port. `environment` is that of the app and of what it starts. */
export async function serveSite(environment) {
	const bundle = await build({ entryPoints: [path.join(HERE, "page/host.ts")], bundle: true, write: false, format: "iife", platform: "browser", logLevel: "error", define: { "process.env.NODE_ENV": '"test"' } });
	const pages = {
		"/": () => fs.readFileSync(path.join(HERE, "page/index.html")),
		"/host.js": () => bundle.outputFiles[0].contents,
		"/app.css": () => fs.readFileSync(path.join(HERE, "page/app.css")),
		"/styles.css": () => fs.readFileSync(path.join(PLUGIN, "styles.css")),
	};
	const site = { origin: "", tell: () => undefined, sent: [], hold: async () => undefined, close: () => undefined };
	const calls = callsOf(environment, (...args) => site.tell(...args));
	const server = http.createServer(async (request, response) => {
		if (request.method === "POST" && request.url === "/node") {
			const { name, args } = JSON.parse(await textOf(request));
			response.end(JSON.stringify(answerOf(() => calls.run[name](...args))));
			return;
		}
		const page = pages[request.url];
		response.writeHead(page ? 200 : 404, { "Content-Type": TYPES[path.extname(request.url)] ?? "text/html" });
		response.end(page?.());
	});
	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	site.origin = `http://127.0.0.1:${server.address().port}`;
	site.request = async (asked) => {
		const sent = { url: asked.url, hasBearer: Boolean(asked.headers?.Authorization), isDone: false };
		site.sent.push(sent);
		await site.hold(asked.url);
		const answer = await sendRequest(asked);
		sent.isDone = true;
		return answer;
	};
	site.close = () => {
		calls.close();
		server.closeAllConnections();
		server.close();
	};
	return site;
}

function callsOf(environment, tell) {
	const watchers = new Map();
	const children = new Set();
	const icons = path.join(PLUGIN, "node_modules/lucide-static/icons");
	const run = {
		environment: () => environment,
		exists: (file) => fs.existsSync(file),
		readdir: (folder) => fs.readdirSync(folder),
		read: (file) => fs.readFileSync(file, "utf8"),
		write: (file, text) => fs.writeFileSync(file, text),
		rename: (from, to) => {
			fs.mkdirSync(path.dirname(to), { recursive: true });
			fs.renameSync(from, to);
		},
		realpath: (file) => fs.realpathSync.native(file),
		access: (file, mode) => fs.accessSync(file, mode),
		isFile: (file) => fs.statSync(file).isFile(),
		files: (folder) => fs.readdirSync(folder, { recursive: true }).filter((file) => !/(^|\/)\./.test(file) && fs.statSync(path.join(folder, file)).isFile()),
		hash: (text) => createHash("sha256").update(text).digest("hex"),
		hmac: (key, text) => createHmac("sha256", key).update(text).digest("hex"),
		random: (size) => randomBytes(size).toString("hex"),
		alive: (pid) => process.kill(pid, 0),
		icon: (id) => {
			const file = path.join(icons, `${id}.svg`);
			return OWN_ICONS[id] ?? (fs.existsSync(file) ? fs.readFileSync(file, "utf8").replace(/<!--.*?-->|\n\s*/gs, " ").trim() : null);
		},
		watch: (id, folder) => void watchers.set(id, fs.watch(folder, (_kind, name) => tell(id, "change", name))),
		unwatch: (id) => watchers.get(id)?.close(),
		spawn: (id, command, args) => {
			const child = spawn(command, args, { stdio: "ignore", env: environment });
			children.add(child);
			child.on("error", (error) => tell(id, "error", { message: error.message }));
			child.on("exit", (code) => {
				children.delete(child);
				tell(id, "exit", code);
			});
		},
	};
	const close = () => {
		watchers.forEach((watcher) => watcher.close());
		children.forEach((child) => child.kill("SIGKILL"));
	};
	return { run, close };
}

function answerOf(work) {
	try {
		return { value: work() ?? null };
	} catch (error) {
		return { value: null, error: { message: error.message, code: error.code } };
	}
}

function sendRequest({ url, method = "GET", headers = {}, body, contentType }) {
	return new Promise((resolve) => {
		const request = http.request(url, { method, headers: { ...headers, ...(contentType ? { "Content-Type": contentType } : {}) } }, async (response) => {
			resolve({ status: response.statusCode, headers: response.headers, text: await textOf(response).catch(() => "") });
		});
		request.on("error", (error) => resolve({ failure: error.message }));
		request.end(body);
	});
}

async function textOf(stream) {
	const pieces = [];
	for await (const piece of stream) pieces.push(piece);
	return Buffer.concat(pieces).toString("utf8");
}
