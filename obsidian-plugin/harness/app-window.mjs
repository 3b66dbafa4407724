/** A window of the app in the browser: loads the plugin, looks at what it shows, and clicks. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";

const PLUGIN = path.dirname(import.meta.dirname);
const PATIENCE = 15_000;
export const SIZE = { width: 1100, height: 760 };

export class AppWindow {
	#page;
	#watcher;
	/** Errors of the page, which a test must not have. */
	errors = [];

	static async open(browser, site, vault) {
		const window = new AppWindow();
		const page = (window.#page = await browser.newPage({ viewport: SIZE }));
		page.setDefaultTimeout(PATIENCE);
		page.on("pageerror", (error) => window.errors.push(String(error.stack ?? error)));
		page.on("console", (message) => {
			if (message.type() === "error") window.errors.push(message.text());
		});
		site.tell = (id, type, value) => void page.evaluate((args) => globalThis.tell(...args), [id, type, value ?? null]).catch(() => undefined);
		await page.exposeFunction("requestThroughNode", (asked) => site.request(asked));
		await page.goto(site.origin);
		await page.evaluate((folder) => {
			globalThis.host = new globalThis.Host(folder);
			globalThis.seenTexts = [];
			new MutationObserver(() => globalThis.seenTexts.push(document.querySelector("#status").textContent)).observe(document.querySelector("#status"), { subtree: true, childList: true, characterData: true });
		}, vault);
		// The app sees by itself when somebody else changes a file.
		window.#watcher = watchFolders(vault, (file) => void page.evaluate((file) => globalThis.host.changed(file), file).catch(() => undefined));
		await window.loadPlugin();
		return window;
	}

	async loadPlugin() {
		const code = fs.readFileSync(path.join(PLUGIN, "main.js"), "utf8");
		const manifest = JSON.parse(fs.readFileSync(path.join(PLUGIN, "manifest.json"), "utf8"));
		await this.#page.evaluate(([code, manifest]) => globalThis.host.load(code, manifest), [code, manifest]);
	}

	unloadPlugin() {
		return this.#page.evaluate(() => globalThis.host.unload());
	}

	run(command) {
		return this.#page.evaluate((id) => globalThis.host.run(id), command);
	}

	openNote(note) {
		return this.#page.evaluate((note) => globalThis.host.open(note), note);
	}

	type(text) {
		return this.#page.evaluate((text) => globalThis.host.type(text), text);
	}

	/** Let no note be saved until the function that is returned is called. */
	async holdSaves() {
		await this.#page.evaluate(() => {
			globalThis.host.hold = new Promise((resolve) => (globalThis.releaseSaves = resolve));
		});
		return () => this.#page.evaluate(() => globalThis.releaseSaves());
	}

	/** How many changes were made through editors. */
	transactions() {
		return this.#page.evaluate(() => globalThis.host.transactions);
	}

	async untilTransactions(count) {
		await this.#page.waitForFunction((count) => globalThis.host.transactions === count, count, { polling: "raf" });
	}

	/** Take back what was typed or dropped at the end of the note. */
	undoTyping(text) {
		return this.#page.evaluate((text) => globalThis.host.untype(text), text);
	}

	async focus(selector) {
		await this.seen(selector).first().focus();
	}

	/** Save the note in front, as the app does a moment after typing. */
	save() {
		return this.#page.evaluate(() => globalThis.host.save());
	}

	opened() {
		return this.#page.evaluate(() => globalThis.host.opened.at(-1) ?? null);
	}

	/** Drag the first such element that can be seen into the note in front. */
	async dragIntoNote(selector) {
		await this.seen(selector).first().dragTo(this.#page.locator("#main"));
	}

	/** Put the pointer on the first such element; what the app was asked to preview. */
	async preview(selector) {
		await this.seen(selector).first().hover();
		return this.#page.evaluate(() => globalThis.host.previewed.at(-1) ?? null);
	}

	/** The card of a canvas that was jumped to. */
	async untilCard() {
		return (await this.#page.waitForFunction(() => globalThis.host.card, null, { polling: "raf" })).jsonValue();
	}

	noteText() {
		return this.#page.evaluate(() => globalThis.host.text());
	}

	async untilOpened(path) {
		await this.#page.waitForFunction((path) => globalThis.host.opened.at(-1)?.path === path, path, { polling: "raf" });
	}

	/** Let the app know these links: by note, how often it links to what. */
	knowLinks(links) {
		return this.#page.evaluate((links) => (globalThis.host.app.metadataCache.resolvedLinks = links), links);
	}

	/** Every text that the status bar has had. */
	statusTexts() {
		return this.#page.evaluate(() => globalThis.seenTexts);
	}

	/** The elements that can be seen. */
	seen(selector) {
		return this.#page.locator(`${selector}:visible`);
	}

	count(selector) {
		return this.seen(selector).count();
	}

	texts(selector) {
		return this.seen(selector).allTextContents();
	}

	async click(selector, options = {}) {
		await this.seen(selector).first().click(options);
	}

	async clickText(selector, text, inside = null) {
		const row = this.seen(selector).filter({ hasText: text }).first();
		await (inside === null ? row : row.locator(inside).first()).click();
	}

	async fill(selector, text) {
		await this.seen(selector).first().fill(text);
	}

	/** Make the window so high, in pixels, that all of a list can be seen. */
	setHeight(height) {
		return this.#page.setViewportSize({ ...SIZE, height });
	}

	press(key) {
		return this.#page.keyboard.press(key);
	}

	/** Wait until the elements' texts are as wanted; they are looked at in each frame. Returns the milliseconds since `from`. */
	async until(selector, isWanted, from = performance.now()) {
		const source = `(${isWanted})`;
		try {
			await this.#page.waitForFunction(
				([selector, source]) => {
					const seen = [...document.querySelectorAll(selector)].filter((el) => el.offsetParent !== null || el.closest(".modal-container, .status-bar, .notice-container"));
					return (0, eval)(source)(seen.map(({ textContent }) => textContent));
				},
				[selector, source],
				{ polling: "raf" },
			);
		} catch {
			const now = await this.#page.evaluate((selector) => [...document.querySelectorAll(selector)].map(({ textContent }) => textContent), selector);
			assert.fail(`waited in vain for ${selector} to be ${source}; it is ${JSON.stringify(now)}`);
		}
		return performance.now() - from;
	}

	untilCount(selector, count, from) {
		return this.until(selector, `(texts) => texts.length === ${count}`, from);
	}

	/** Wait for a tone and words of the status bar item. */
	async untilStatus(tone, words) {
		await this.#page.waitForFunction(
			([tone, words]) => {
				const { dataset, ariaLabel } = document.querySelector(".vault-sidecar-status") ?? {};
				return dataset?.tone === tone && ariaLabel.includes(words);
			},
			[tone, words],
			{ polling: "raf" },
		).catch(async () => assert.fail(`waited in vain for the status "${words}" (${tone}); it is ${await this.#page.evaluate(() => document.querySelector("#status").innerHTML)}`));
	}

	async untilStatusOther(words) {
		await this.#page.waitForFunction((words) => !document.querySelector(".vault-sidecar-status").ariaLabel.includes(words), words, { polling: "raf" });
	}

	async dismissNotices() {
		const notices = await this.texts(".notice");
		await this.#page.evaluate(() => document.querySelector("#notices").replaceChildren());
		return notices;
	}

	/** Save what the window shows, in both themes, when a folder was asked for. */
	async shoot(folder, name) {
		if (folder === null) return;
		await this.#page.mouse.move(5, 5);
		for (const theme of ["light", "dark"]) {
			await this.#page.evaluate((theme) => (document.body.className = `theme-${theme}`), theme);
			await this.#page.screenshot({ path: path.join(folder, `${name}-${theme}.png`) });
		}
	}

	/** What must hold whatever is shown: one status item, no unknown icon, no error. */
	async assertSound() {
		assert.equal(await this.#page.locator(".status-bar-item").count(), 1, "one status bar item");
		assert.deepEqual(await this.#page.locator(".no-such-icon").allTextContents(), [], "every icon is known");
		assert.deepEqual(this.errors, [], "no errors on the page");
		await this.until(".vault-sidecar-status-text", '(texts) => texts.every((text) => text === "")');
	}

	close() {
		this.#watcher.close();
		return this.#page.close();
	}
}

/**
 * Tell of every change in a folder and those below. Each folder has a watcher: the recursive one that Node has for
 * Linux watches files, and misses what happens to one that was replaced.
 */
function watchFolders(root, onChange) {
	const watchers = new Map();
	const add = (folder) => {
		if (watchers.has(folder)) return;
		const watcher = fs.watch(folder, (_kind, name) => {
			const place = path.join(folder, name);
			if (fs.statSync(place, { throwIfNoEntry: false })?.isDirectory()) add(place);
			else onChange(path.relative(root, place));
		});
		// A folder that is deleted takes its watcher with it.
		watcher.on("error", () => watcher.close());
		watchers.set(folder, watcher);
		for (const entry of fs.readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) add(path.join(folder, entry.name));
	};
	add(root);
	return { close: () => watchers.forEach((watcher) => watcher.close()) };
}
