/** Lends the daemon the app: it is told what is open, and changes open notes through their editors. */

import { EditorView } from "@codemirror/view";
import { Component } from "obsidian";
import type { PartContext } from "../parts";
import { ContextReporter } from "./context-reporter";
import { RequestRunner } from "./request-runner";

export class LiveEditing extends Component {
	constructor(private readonly context: PartContext) {
		super();
	}

	override onload(): void {
		const { app, connection, plugin } = this.context;
		const reporter = this.addChild(new ContextReporter(app, connection));
		this.addChild(new RequestRunner(app, connection));
		// The workspace tells of typing but not of selecting.
		plugin.registerEditorExtension(EditorView.updateListener.of(({ selectionSet }) => selectionSet && reporter.lookSoon()));
	}
}
