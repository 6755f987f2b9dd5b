// The list of tasks: filters, order, and rows that open an episode.

const PAGE = 100;
const state = { verdict: "all", level: "", kind: "", part: "", text: "", order: "given", shown: PAGE };
const ORDERS = {
  given: ["as played", null],
  verdict: ["verdict", (task) => ["wrong", "unsure", "unplayed", "absent", "right"].indexOf(task.runs[0].verdict)],
  steps: ["most steps", (task) => -Math.max(...task.runs.map((run) => run.steps || 0))],
  level: ["level", (task) => task.level || ""],
  key: ["name", (task) => task.id],
};

function matches(task, skip) {
  if (skip !== "verdict" && state.verdict === "flips" && (task.runs.length < 2 || task.runs[0].verdict === task.runs[1].verdict)) return false;
  if (skip !== "verdict" && !["all", "flips"].includes(state.verdict) && !task.runs.some((run) => run.verdict === state.verdict)) return false;
  if (state.level && task.level !== state.level) return false;
  if (state.kind && task.kind !== state.kind) return false;
  if (state.part && task.part !== state.part) return false;
  return !state.text || task.search.includes(state.text);
}

function chosen(tasks) {
  const list = tasks.filter((task) => matches(task));
  const rank = ORDERS[state.order][1];
  if (!rank) return list;
  const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  return list.map((task) => [rank(task), task]).sort((a, b) => order(a[0], b[0])).map((pair) => pair[1]);
}

function select(label, name, values, redraw, words) {
  const node = el("select", { id: "by-" + name });
  for (const one of values) {
    const option = el("option", {}, words ? words(one) : one || "all");
    option.value = one;
    put(node, option);
  }
  node.addEventListener("change", () => { state[name] = node.value; redraw(); });
  return el("label", { for: "by-" + name }, label, node);
}

function row(task, names) {
  const marks = task.runs.map((run, number) =>
    el("span", {}, verdict(run.verdict), names.length > 1 ? el("small", {}, " " + cut(names[number], 16)) : ""));
  const answers = task.runs.map((run) => (run.answer === undefined ? "" : run.answer === null ? "no answer" : cut(run.answer, 80)));
  const facts = [task.id, task.part, task.kind, task.runs.map((run) => (run.steps === undefined ? "" : counted(run.steps, "step"))).filter(Boolean).join(" | ")];
  return el("li", {}, el("a", { class: "row", href: link(task) },
    el("span", { class: "marks" }, marks),
    el("span", { class: "words" }, el("span", { class: "q" }, cut(task.question || "(not played)", 400)),
      el("span", { class: "facts-line" }, facts.filter(Boolean).join(" · "))),
    el("span", { class: "ans" }, answers.filter(Boolean).join(" | "))));
}

function drawList(index) {
  const section = document.getElementById("tasks");
  const list = el("ol", { class: "rows" });
  const count = el("p", { class: "dim", "aria-live": "polite", id: "count" });
  const chips = el("div", { class: "chips", role: "group", "aria-label": "Verdict" });
  const more = button("Show more", () => { state.shown += 5 * PAGE; redraw(); }, { class: "more" });
  const known = ["all", "right", "wrong", "unsure", "unplayed", ...(index.runs.length > 1 ? ["flips"] : [])];
  const of = (name) => [...new Set(index.tasks.map((task) => task[name]).filter(Boolean))].sort();

  function redraw() {
    const tasks = chosen(index.tasks);
    index.order = tasks;
    list.replaceChildren(...tasks.slice(0, state.shown).map((task) => row(task, index.runs)));
    count.textContent = counted(tasks.length, "task") + (tasks.length < index.tasks.length ? " of " + index.tasks.length.toLocaleString("en") : "");
    more.hidden = tasks.length <= state.shown;
    const rest = index.tasks.filter((task) => matches(task, "verdict"));
    chips.replaceChildren(...known.map((name) => {
      const number = rest.filter((task) => name === "all" || (name === "flips" ? task.runs[0].verdict !== task.runs[1].verdict : task.runs.some((run) => run.verdict === name))).length;
      return button(name + " " + number.toLocaleString("en"), () => { state.verdict = name; state.shown = PAGE; redraw(); focusChip(name); },
        { class: "chip", id: "chip-" + name, "aria-pressed": String(state.verdict === name) });
    }));
  }
  const focusChip = (name) => document.getElementById("chip-" + name).focus();

  const search = el("input", { type: "search", id: "search", placeholder: "question, answer or name", autocomplete: "off" });
  search.addEventListener("input", () => { state.text = search.value.toLowerCase(); state.shown = PAGE; redraw(); });
  const controls = el("div", { class: "controls" }, el("label", { for: "search", class: "grow" }, "Search", search));
  for (const [label, name] of [["Part", "part"], ["Level", "level"], ["Type", "kind"]]) {
    const values = of(name);
    if (values.length > 1) put(controls, select(label, name, ["", ...values], redraw));
  }
  put(controls, select("Order", "order", Object.keys(ORDERS), redraw, (name) => ORDERS[name][0]));
  put(section, chips, controls, count, list, more);
  redraw();
}
