// Elements and texts. Everything a person reads goes through `put`: it becomes a text node, and what hides or
// reorders characters becomes a visible token. Nothing here or elsewhere parses HTML.

const HIDDEN = new RegExp(
  "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u3164\\uffa0" +
  "\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0d\\ufeff\\ufff9-\\ufffb\\ud800-\\udfff" +
  "\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]", "gu");

function visible(text) {
  return String(text).replace(HIDDEN, (one) =>
    "⟨U+" + one.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "⟩");
}

function put(node, ...children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === "") continue;
    node.append(child instanceof Node ? child : document.createTextNode(visible(child)));
  }
  return node;
}

// Attributes that may be set, so that no data can choose one.
const ATTRIBUTES = new Set(["class", "id", "type", "href", "alt", "aria-label", "aria-expanded", "aria-pressed",
  "aria-live", "role", "tabindex", "for", "value", "placeholder", "scope", "colspan", "title", "width", "height",
  "viewBox", "preserveAspectRatio", "x", "y", "rx", "hidden", "autocomplete", "loading"]);

function build(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (!ATTRIBUTES.has(name)) throw new Error("attribute " + name);
    node.setAttribute(name, visible(value));
  }
  return put(node, ...children);
}

const el = (tag, attributes, ...children) => build(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
  build(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

function button(label, act, attributes) {
  const node = el("button", { type: "button", ...attributes }, label);
  node.addEventListener("click", act);
  return node;
}

function data(id) {
  const block = document.getElementById(id);
  return block && block.type === "application/json" ? JSON.parse(block.textContent) : null;
}

const counted = (number, noun) => number.toLocaleString("en") + " " + noun + (number === 1 ? "" : "s");
const short = (number) => String(Math.round(number * 1000) / 1000);

// Return the first `most` characters without cutting a pair of surrogates.
function cut(text, most) {
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
}

// A text that may be long: its beginning, and a button for a piece more at a time.
function long(text, most, draw, attributes) {
  text = String(text);
  const node = el("div", { class: "text", ...attributes });
  if (text.length <= most + 200) return put(node, draw ? draw(text) : text);
  const start = cut(text, most);
  put(node, draw ? draw(start) : start);
  let at = start.length;
  const left = () => "Show more (" + (text.length - at).toLocaleString("en") + " characters left)";
  const more = button(left(), () => {
    const piece = cut(text.slice(at, at + 20001), 20000);
    at += piece.length;
    more.before(document.createTextNode(visible(piece)));
    if (at >= text.length) more.remove();
    else more.textContent = left();
  }, { class: "more" });
  return put(node, more);
}

// A value of a call or a result: texts as they are, everything else as JSON.
function value(thing, most = 400) {
  return long(typeof thing === "string" ? thing : JSON.stringify(thing), most, null, { class: "text value" });
}

function pairs(entries, kind = "pairs") {
  return el("dl", { class: kind }, entries.map(([name, thing]) =>
    el("div", {}, el("dt", {}, cut(name, 80)), put(el("dd"), thing instanceof Node ? thing : value(thing)))));
}

const MARKS = { right: "✓", wrong: "✗", unsure: "?", unplayed: "–", absent: "·" };
const verdict = (word) =>
  el("span", { class: "verdict " + (word in MARKS ? word : "absent") }, (MARKS[word] || "·") + " " + word);
