// One task: question, verdicts, gold when asked for, and the steps of one or two runs.

const TAGS = new RegExp(
  "<think>[^]*?(?:</think>|$)|<tool\\b[^<>]*>[^]*?(?:</tool>|$)|<tool_call>[^]*?(?:</tool_call>|$)" +
  "|<done>[^]*?(?:</done>|$)|<answer>[^]*?(?:</answer>|$)", "gi");

// What a model wrote, every character of it: calls and answers plain, thoughts dimmed.
function said(text) {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(TAGS)) {
    if (found.index > at) parts.push(el("span", { class: "thought" }, text.slice(at, found.index)));
    parts.push(el("span", { class: /^<think/i.test(found[0]) ? "thought" : "tag" }, found[0]));
    at = found.index + found[0].length;
  }
  if (at < text.length) parts.push(el("span", { class: at ? "thought" : "" }, text.slice(at)));
  return parts;
}

function pips(used, limit) {
  if (typeof limit !== "number" || limit < 1) return el("span", { class: "budget" }, used + " used");
  const share = Math.min(used / limit, 1);
  return el("span", { class: "budget" },
    svg("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-label": "budget" },
      svg("rect", { class: "rail", x: 0, y: 0, width: 100, height: 8, rx: 2 }),
      svg("rect", { class: "span", x: 0, y: 0, width: 100 * share, height: 8, rx: 2 })),
    used + " of " + limit);
}

// The reward, and its terms before weights: those that are not zero, and at the end all of them.
function terms(step) {
  const entries = Object.entries(step.terms).filter(([, number]) => number || step.end);
  if (!entries.length) return null;
  return el("div", { class: "terms" }, el("span", { class: "chip strong" }, "reward " + short(step.reward)),
    el("span", { class: "dim small" }, "terms before weights:"), entries.map(([name, number]) =>
      el("span", { class: number ? "chip" : "chip zero" }, cut(name.replaceAll("_", " "), 40) + " " + short(number))));
}

function called(call, answer, known, used) {
  const node = el("div", { class: "call" },
    el("h4", {}, el("span", { class: "mono" }, cut(call.tool, 80)), " ",
      el("span", { class: "status " + (call.status === "ok" ? "ok" : "bad") }, call.status + (call.code ? ": " + cut(call.code, 60) : ""))),
    pairs(Object.entries(call.arguments), "args"));
  if (call.repairs.length) put(node, el("p", { class: "dim" }, "read with repairs: " + cut(call.repairs.join(", "), 300)));
  if (call.crop) {
    const made = answer && isRow(answer.data) ? known.get(answer.data.image) : undefined;
    if (made) used.add(made.handle);
    put(node, el("div", { class: "strip" },
      figure(call.crop, call.crop.box, call.crop.handle ? "the box of the crop" : "what the crop was cut from"),
      made ? figure(made) : null));
  }
  return answer ? put(node, result(answer, known, used)) : node;
}

// The calls with their results, then everything else the model was shown.
function seen(step, known) {
  const used = new Set();
  const all = lines(step.text);
  const answers = all.filter((line) => line.json).map((line) => line.json);
  const node = el("div", { class: "seen" });
  for (const [number, call] of step.calls.entries()) {
    const at = answers.findIndex((json) => json.call === number + 1 && json.tool === call.tool);
    put(node, called(call, at < 0 ? null : answers.splice(at, 1)[0], known, used));
  }
  for (const json of answers) put(node, el("div", { class: "call" }, result(json, known, used)));
  put(node, strip(step.shown.filter((shown) => !used.has(shown.handle))));
  const texts = (kind) => all.filter((line) => line.text !== undefined && line.kind === kind).map((line) => line.text).join("\n");
  if (texts("")) put(node, long(texts(""), 600, null, { class: "text dim small" }));
  if (texts("ledger")) put(node, long(texts("ledger"), 300, null, { class: "text dim mono small" }));
  return put(node, asked(texts("request")), raw(step.text));
}

// What the environment asks for next: its first words, and the rest on demand.
function asked(text) {
  if (!text) return null;
  const head = cut(text, 120).split(/[,:.\n]/)[0];
  return el("details", {}, el("summary", {}, "asked next: " + head + "…"), long(text, 2000));
}

function raw(text) {
  const node = el("details", {}, el("summary", {}, "as the model saw it"));
  node.addEventListener("toggle", () => {
    if (node.open && node.childNodes.length === 1) put(node, long(text, 3000, null, { class: "text raw" }));
  });
  return node;
}

const PHASES = { act: "act", memory: "memory", answer_only: "answer only", done: "done" };

function stepCard(run, number, column, known) {
  const step = run.steps[number];
  for (const shown of step.shown) known.set(shown.handle, shown);
  const id = column ? "step-b" + (number + 1) : "step-" + (number + 1);
  const node = el("article", { class: "step " + step.phase, id, tabindex: -1 },
    el("header", {}, el("h3", {}, "Step " + (number + 1) + " ", el("span", { class: "phase" }, PHASES[step.phase] || step.phase)),
      pips(step.used, run.limit)),
    el("h4", { class: "label" }, step.phase === "memory" ? "Memory it wrote" : "Model wrote"),
    long(step.action, 1500, step.phase === "memory" ? null : said, { class: "text wrote" }));
  if (step.failure[0]) put(node, el("p", { class: "fault" }, "failure: " + step.failure[0] + " (" + step.failure[1] + ")"));
  if (!step.reproducible) put(node, el("p", { class: "fault" }, "A time limit struck here: another machine may not repeat this step."));
  put(node, seen(step, known));
  if (step.answer !== null) put(node, el("p", { class: "answered" }, "Answer: ", el("b", {}, long(step.answer, 300))));
  return put(node, terms(step));
}

const WORDS = { yes: "right", no: "wrong", unsure: "unsure" };

function outcome(run, name) {
  const node = el("section", { class: "outcome" });
  if (name) put(node, el("h3", {}, name));
  if (!run.steps) {
    const why = run.unplayed ? [run.unplayed.status, run.unplayed.code, run.unplayed.message].filter(Boolean).join(" · ") : "not in this run";
    return put(node, el("p", {}, verdict(run.unplayed ? "unplayed" : "absent"), " ", why));
  }
  const judge = run.judged.by === "model" ? "judged by " + run.judged.model : "by rules";
  put(node, el("p", {}, verdict(WORDS[run.judged.value]), " ",
    el("span", { class: "dim" }, [judge, run.judged.reason, run.judged.parsed ? "" : "the judge's answer could not be read"].filter(Boolean).join(" · "))));
  put(node, pairs([["answer", run.answer === null ? el("span", { class: "dim" }, "none") : run.answer],
    ["reward", short(run.reward)], ["steps", String(run.steps.length)]]));
  if (run.left) put(node, el("p", { class: "warning" }, "The pictures of this episode are left out to keep the page small."));
  if (!run.world) put(node, el("p", { class: "warning" }, "The world of this episode is not at hand: no pictures, no names."));
  const notes = el("details", {}, el("summary", {}, "notes and digest"), pairs([...Object.entries(run.notes), ["digest", run.digest]]));
  return put(node, notes);
}

function golden(gold, runs) {
  const panel = el("div", { class: "gold", id: "gold", hidden: "" });
  if (!gold) {
    put(panel, el("p", {}, "The gold of this task is not at hand."));
  } else {
    put(panel, el("p", {}, "Answer: ", el("b", {}, long(gold.answer, 300))));
    if (gold.aliases.length) put(panel, el("p", { class: "dim" }, "also " + cut(gold.aliases.join(", "), 600)));
    if (gold.target) put(panel, el("p", { class: "dim" }, "read off the picture of ", gold.target));
    put(panel, el("ol", {}, gold.chain.map((hop, number) => hopLine(hop, runs.map((run) => (run.found || [])[number])))));
    if (!gold.chain.length) put(panel, el("p", { class: "dim" }, "This gold names no chain."));
  }
  const toggle = button("Show gold", () => {
    panel.hidden = !panel.hidden;
    toggle.textContent = panel.hidden ? "Show gold" : "Hide gold";
    toggle.setAttribute("aria-expanded", String(!panel.hidden));
  }, { id: "show-gold", "aria-expanded": "false" });
  return el("aside", {}, el("h2", {}, "Gold"), toggle, panel);
}

function hopLine(hop, found) {
  const arrow = hop.head ? [hop.inverse ? hop.tail : hop.head, el("i", {}, " " + hop.via + " "), hop.inverse ? hop.head : hop.tail] : [el("i", {}, hop.via + " "), hop.tail];
  const when = found.filter((number) => number !== undefined).map((number) => number ? "in step " + number : "never");
  return el("li", {}, arrow, el("div", { class: "dim" }, when.length ? hop.tail + " returned: " + when.join(" | ") : ""));
}

function firstDifference(runs) {
  const [a, b] = runs.map((run) => run.steps);
  for (let number = 0; number < Math.max(a.length, b.length); number++) {
    const [one, two] = [a[number], b[number]];
    if (!one || !two || one.action !== two.action || one.text !== two.text) return number;
  }
  return -1;
}

function timeline(runs) {
  const there = runs.map((run) => run.steps || []);
  const known = runs.map((run) => new Map(run.first ? run.first.shown.map((shown) => [shown.handle, shown]) : []));
  const differs = runs.length === 2 && there.every((steps) => steps.length) ? firstDifference(runs) : -1;
  const node = el("div", { class: runs.length === 2 ? "steps two" : "steps" });
  const most = Math.max(...there.map((steps) => steps.length));
  for (let number = 0; number < most; number++) {
    if (number === differs) put(node, el("p", { class: "differs", id: "first-difference" }, "The runs differ from here."));
    for (const [column, run] of runs.entries()) {
      if (number < there[column].length) put(node, stepCard(run, number, column, known[column]));
      else put(node, el("div", { class: "none" }, number === there[column].length ? "no further step" : ""));
    }
  }
  if (runs.length === 2 && differs < 0 && there.every((steps) => steps.length)) put(node, el("p", { class: "differs" }, "Both runs are the same, step by step."));
  return node;
}
