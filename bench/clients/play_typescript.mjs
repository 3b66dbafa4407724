// Plays a session with a TypeScript SDK: node play_typescript.mjs PACKAGE MODE COMMAND, the command as JSON.
// PACKAGE is "sdk" (1.x) or "client" (2.x), MODE "legacy" or "auto". Prints what succeeded as JSON.

const [, , name, mode, json] = process.argv;
const command = JSON.parse(json);
const scope = "@modelcontextprotocol";
const { Client } = await import(name === "sdk" ? `${scope}/sdk/client/index.js` : `${scope}/client`);
const stdio = await import(name === "sdk" ? `${scope}/sdk/client/stdio.js` : `${scope}/client/stdio`);
const types = name === "sdk" ? await import(`${scope}/sdk/types.js`) : null;

const NOTE = "note://My%20Vault/Garden/Rose%20%26%20Thorn.md";
const SEARCH = "search://My%20Vault/omega";
const heard = { updated: [], lists: 0 };
const client = new Client(
  { name: "play", version: "1" },
  name === "client" ? { versionNegotiation: { mode } } : {},
);
client.setNotificationHandler(
  types ? types.ResourceUpdatedNotificationSchema : "notifications/resources/updated",
  (message) => void heard.updated.push(message.params.uri),
);
client.setNotificationHandler(
  types ? types.ResourceListChangedNotificationSchema : "notifications/resources/list_changed",
  () => void (heard.lists += 1),
);
await client.connect(
  new stdio.StdioClientTransport({ command: command[0], args: command.slice(1), env: process.env }),
);

async function said(tool, wanted, args) {
  const result = await client.callTool({ name: tool, arguments: args });
  return !result.isError && result.content.some((item) => item.text?.includes(wanted));
}

async function came(happened) {
  for (let turn = 0; turn < 100 && !happened(); turn += 1) await new Promise((go) => setTimeout(go, 50));
  return happened();
}

const done = {};
if (client.getNegotiatedProtocolVersion) done.protocol = client.getNegotiatedProtocolVersion();
done.tools = (await client.listTools()).tools.length;
done.prompts = (await client.listPrompts()).prompts.length;
done.templates = (await client.listResourceTemplates()).resourceTemplates.length;
const listed = (await client.listResources()).resources.map((resource) => resource.uri);
done.resources = listed.length;
done["note is listed"] = listed.includes(NOTE);
done["note is read"] = (await client.readResource({ uri: NOTE })).contents[0].text.includes("beta");
if (mode === "auto") await client.listen({ resourcesListChanged: true, resourceSubscriptions: [SEARCH] });
else await client.subscribeResource({ uri: SEARCH });
const completed = await client.complete({
  ref: { type: "ref/resource", uri: "note://{project}/{+path}" },
  argument: { name: "path", value: "rose" },
});
done["path is completed"] = completed.completion.values.join() === "Garden/Rose & Thorn.md";
const prompt = await client.getPrompt({ name: "search", arguments: { query: "beta" } });
done["prompt is given"] = prompt.messages.at(-1).content.text.includes("Rose");
done.search = await said("search_notes", "Note.md", { query: "alpha" });
done.write = await said("write_note", "New.md", { title: "New", directory: "", content: "omega" });
done["own write is found"] = await said("search_notes", "New.md", { query: "omega" });
done.read = await said("read_note", "omega", { identifier: "New" });
done["error is told"] = (await client.callTool({ name: "read_note", arguments: { identifier: "Nothing" } })).isError;
done["update is heard"] = await came(() => heard.updated.includes(SEARCH));
done["list change is heard"] = await came(() => heard.lists > 0);
done.undo = await said("undo", "New.md", {});
await client.close();
console.log(JSON.stringify(done));
process.exit(0);
