// The terminal of a tab: sends keys to its console, shows the output, copies, offers saved files.
import { FitAddon } from "/static/xterm/addon-fit.mjs";
import { Unicode11Addon } from "/static/xterm/addon-unicode11.mjs";
import { Terminal } from "/static/xterm/xterm.mjs";

// The reasons for the end of a connection, as in consoles.py.
const ENDED = 4000, TAKEN_OVER = 4001, TOO_MANY = 4002;
const RETRY_MILLISECONDS = 1000, RETRIES = 25;
const SESSION = "svc-tui-session";
const SAFE_LINK = /^(https?|mailto):/;

const element = (id) => document.getElementById(id);
// In the language of the process that serves the page.
const TEXTS = JSON.parse(element("terminal").dataset.texts);
const terminal = new Terminal({
  allowProposedApi: true, // For the widths of Unicode 11.
  cursorBlink: false,
  fontFamily: '"DejaVu Sans Mono", Menlo, Consolas, "Liberation Mono", "Noto Sans Mono", monospace',
  fontSize: 15,
  linkHandler: { activate: (_, address) => openLink(address) },
  scrollback: 0,
  theme: { background: "#121212", foreground: "#eeeeee" },
});
const fit = new FitAddon();
const encoder = new TextEncoder();
let socket = null, retries = 0;

terminal.loadAddon(fit);
terminal.loadAddon(new Unicode11Addon());
terminal.unicode.activeVersion = "11";
terminal.open(element("terminal"));
fit.fit();

// --- connection

function connect() {
  const query = new URLSearchParams({ columns: terminal.cols, rows: terminal.rows });
  const known = sessionStorage.getItem(SESSION);
  if (known) query.set("session", known);
  socket = new WebSocket(`ws://${location.host}/console?${query}`);
  socket.binaryType = "arraybuffer";
  socket.onmessage = ({ data }) => (data instanceof ArrayBuffer ? terminal.write(new Uint8Array(data)) : take(JSON.parse(data)));
  socket.onclose = ({ code }) => closed(code);
}

function take(message) {
  if ("session" in message) begin(message.session);
  if ("file" in message) offer(message.file, message.name);
  if ("ended" in message) sessionStorage.removeItem(SESSION);
}

function begin(id) {
  const known = sessionStorage.getItem(SESSION);
  terminal.reset();
  if (known && known !== id) say(TEXTS.replaced);
  else if (retries) say("");
  retries = 0;
  sessionStorage.setItem(SESSION, id);
}

function closed(code) {
  if (code === ENDED) say(TEXTS.ended, TEXTS.openNew, connect);
  else if (code === TAKEN_OVER) say(TEXTS.takenOver, TEXTS.useHere, connect);
  else if (code === TOO_MANY) say(TEXTS.tooMany, TEXTS.tryAgain, connect);
  else if (retries++ < RETRIES) {
    say(TEXTS.reconnecting);
    setTimeout(connect, RETRY_MILLISECONDS);
  } else say(TEXTS.lost, TEXTS.tryAgain, connect);
}

const send = (data) => socket.readyState === WebSocket.OPEN && socket.send(data);
terminal.onData((text) => send(encoder.encode(text)));
terminal.onBinary((text) => send(Uint8Array.from(text, (character) => character.charCodeAt(0))));
terminal.onResize(({ cols, rows }) => send(JSON.stringify({ columns: cols, rows })));
new ResizeObserver(() => fit.fit()).observe(element("terminal"));

// A reserved key like ctrl+w, which deletes a word in terminals, must not close a console with unsaved work.
addEventListener("beforeunload", (event) => {
  if (socket.readyState === WebSocket.OPEN && sessionStorage.getItem(SESSION)) event.preventDefault();
});

// --- messages: below the terminal, or over it until the next key

function note(text) {
  element("note").textContent = text;
  element("note").hidden = !text;
}

function say(text, label = "", act = null) {
  element("message").textContent = text;
  element("download").hidden = true;
  element("action").hidden = !label;
  element("action").textContent = label;
  element("action").onclick = () => { say(""); terminal.focus(); act(); };
  element("bar").hidden = !text;
  if (act) element("action").focus();
}

function offer(id, name) {
  say(TEXTS.saved); // The link has the name.
  const link = element("download");
  link.href = `/files/${encodeURIComponent(id)}`;
  link.download = name;
  link.textContent = TEXTS.download.replace("{name}", () => name);
  link.hidden = false;
}

element("hide").onclick = () => { say(""); terminal.focus(); };
element("download").onclick = () => terminal.focus();
terminal.attachCustomKeyEventHandler((event) => {
  if (event.type === "keydown") note("");
  const withControl = event.ctrlKey && !event.altKey && !event.metaKey && !event.shiftKey;
  if (withControl && event.key === "v") return false; // The browser pastes.
  const handle = withControl && event.key === "c" && terminal.hasSelection() ? copySelection
    : event.key === "F6" && !element("bar").hidden ? focusBar : null;
  if (!handle) return true;
  if (event.type === "keydown") handle();
  event.preventDefault();
  return false;
});
function focusBar() {
  [element("download"), element("action"), element("hide")].find((each) => !each.hidden).focus();
}
element("bar").onkeydown = (event) => {
  if (event.key === "F6" || event.key === "Escape") { terminal.focus(); event.preventDefault(); }
};

// --- copying and links

terminal.parser.registerOscHandler(52, (data) => {
  const content = data.slice(data.indexOf(";") + 1);
  if (content !== "?") copy(content); // Programs may write to the clipboard, and not read it.
  return true;
});

function copy(base64) {
  try {
    copyText(new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))));
  } catch {
    // Not a text.
  }
}

function copySelection() {
  copyText(terminal.getSelection().replace(/ +$/gm, ""));
  terminal.clearSelection();
}

function copyText(text) {
  const written = navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject();
  written.then(() => note(TEXTS.copied), () => copyByHand(text));
}

function copyByHand(text) {
  element("copy-text").value = text;
  element("copy").onclose = () => { element("copy-text").value = ""; terminal.focus(); };
  element("copy").showModal();
  element("copy-text").select();
}

function openLink(address) {
  if (SAFE_LINK.test(address)) window.open(address, "_blank", "noopener,noreferrer");
}

connect();
terminal.focus();
