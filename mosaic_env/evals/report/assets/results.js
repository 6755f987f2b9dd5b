// What a step showed the model: its lines of JSON as tables, pictures in their rows, all other lines as text.

const LINE = /^\{"(call|tool|ok|dropped)"/;

function lines(text) {
  let ended = false;
  return text.split("\n").map((line) => {
    if (LINE.test(line)) {
      try {
        return { json: JSON.parse(line) };
      } catch (error) {
        return { text: line };
      }
    }
    if (/^\[image /.test(line)) return { text: line, kind: "image" };
    if (/^\[budget\]/.test(line)) ended = true;
    else if (ended) return { text: line, kind: "request" };
    return { text: line, kind: ended ? "ledger" : "" };
  });
}

const isRow = (thing) => thing !== null && typeof thing === "object" && !Array.isArray(thing);
const isTable = (thing) => Array.isArray(thing) && thing.length > 0 && thing.every(isRow);

// A row's picture: attached now or before, or only named.
function cell(handle, known, used) {
  const shown = typeof handle === "string" ? known.get(handle) : undefined;
  if (!shown) return el("span", { class: "dim mono" }, handle, el("br"), "not attached");
  used.add(handle);
  return figure(shown);
}

// Rows that are shown at once, and at most.
const FEW = 6;
const MANY = 200;

function table(rows, known, used) {
  const names = [...new Set(rows.slice(0, MANY).flatMap((row) => Object.keys(row)))];
  const own = ["rank", "image", "label", "text", "entity"];
  const rest = names.filter((name) => !own.includes(name)).slice(0, 8);
  const pictured = names.includes("image");
  const body = el("tbody");
  for (const [number, row] of rows.slice(0, MANY).entries()) {
    const line = el("tr", number < FEW + 2 || rows.length <= FEW + 4 ? {} : { hidden: "" });
    if (names.includes("rank")) put(line, el("td", { class: "rank" }, row.rank === undefined ? "" : value(row.rank)));
    if (pictured) put(line, el("td", { class: "picture" }, row.image === undefined ? "" : cell(row.image, known, used)));
    if (names.includes("label") || names.includes("text")) {
      put(line, el("td", { class: "words" },
        row.label === undefined ? "" : el("b", {}, value(row.label, 120)), row.text === undefined ? "" : value(row.text, 260)));
    }
    for (const name of rest) put(line, el("td", {}, row[name] === undefined ? "" : value(row[name], 120)));
    put(body, line);
  }
  const head = el("tr", {}, names.includes("rank") ? el("th", { scope: "col" }, "#") : "",
    pictured ? el("th", { scope: "col" }, "picture") : "",
    names.includes("label") || names.includes("text") ? el("th", { scope: "col" }, "result") : "",
    rest.map((name) => el("th", { scope: "col" }, cut(name, 40))));
  const folded = [...body.children].filter((line) => line.hidden);
  const more = folded.length ? button("Show " + counted(folded.length, "more result"), () => {
    for (const line of folded) line.hidden = false;
    more.remove();
  }, { class: "more" }) : null;
  const most = rows.length > MANY ? el("p", { class: "dim" }, "The first " + MANY + " of " + counted(rows.length, "row") + ".") : null;
  return el("div", { class: "wide" }, el("table", { class: "results" }, el("thead", {}, head), body), more, most);
}

function result(json, known, used) {
  const node = el("div", { class: "result" });
  if (isRow(json.error)) {
    put(node, el("p", { class: "fault" }, el("b", {}, cut(String(json.error.code || "error"), 60)), " ",
      value(json.error.message || ""), json.error.hint ? value(json.error.hint) : ""));
  }
  if (Array.isArray(json.dropped)) {
    put(node, el("p", { class: "fault" }, el("b", {}, "dropped"), " ", value(json.dropped.join(", ")), value(json.why || "")));
  }
  if (isRow(json.data)) {
    const plain = Object.entries(json.data).filter(([, thing]) => !isTable(thing));
    for (const thing of Object.values(json.data)) if (isTable(thing)) put(node, table(thing, known, used));
    if (plain.length) put(node, pairs(plain, "args"));
  } else if (json.data !== undefined) put(node, value(json.data));
  for (const warning of Array.isArray(json.warnings) ? json.warnings : []) put(node, el("p", { class: "dim" }, value(warning)));
  return node;
}
