// Connects @xmpp/client to a WebSocket address and writes a JSON line for everything that happens, until its input ends.
// Arguments: address, domain, user name, resource, mechanism ("" for the client's own choice). First line of input: the password.
import { createInterface } from "node:readline";
import { client, xml } from "@xmpp/client";
import { WebSocket } from "ws";

// Node.js has its own from version 22 on.
globalThis.WebSocket ??= WebSocket;

const [service, domain, username, resource, mechanism] = process.argv.slice(2);
const say = (what) => process.stdout.write(JSON.stringify(what) + "\n");
const input = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const password = (await input.next()).value;

const credentials = mechanism
  ? async (authenticate) => authenticate({ username, password }, mechanism)
  : undefined;
const xmpp = client({ service, domain, resource, ...(credentials ? { credentials } : { username, password }) });
xmpp.reconnect.stop();
xmpp.on("error", (error) => say({ error: error.condition ?? error.message }));
xmpp.on("stanza", (stanza) => {
  if (stanza.is("presence")) {
    say({ available: stanza.attrs.from });
  } else if (stanza.is("message")) {
    const [child] = stanza.getChildElements();
    say({
      type: stanza.attrs.type, id: stanza.attrs.id, from: stanza.attrs.from, to: stanza.attrs.to,
      error: stanza.getChild("error")?.getChildElements()[0].name,
      name: child.name, namespace: child.getNS(), attributes: child.attrs,
      children: Object.fromEntries(child.getChildElements().map((each) => [each.name, each.text()])),
    });
  }
});
xmpp.on("online", () => xmpp.send(xml("presence")));

try {
  await xmpp.start();
} catch (error) {
  say({ failed: error.condition ?? error.message });
  process.exit(1);
}
for await (const line of input) {
  const { ask, send } = JSON.parse(line);
  if (ask === "ping") {
    await xmpp.iqCaller.request(xml("iq", { type: "get", to: domain }, xml("ping", "urn:xmpp:ping")));
    say({ pong: true });
  } else if (send) {
    await xmpp.send(xml("message", { to: send, type: "chat" }, xml("body", {}, "hello")));
  }
}
await xmpp.stop();
