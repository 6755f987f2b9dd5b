// Which task is open stands in the address, so that a link to it can be kept: #task=NAME, #task=NAME&step=3.

const index = data("index");
const report = document.getElementById("report");
const opened = document.getElementById("episode");
const byId = new Map();
let scrolled = 0;

function link(task) {
  return "#task=" + encodeURIComponent(task.id);
}

for (const [number, task] of index.tasks.entries()) {
  task.block = "e" + number;
  task.search = [task.id, task.question || "", ...(task.tags || []), ...task.runs.map((run) => run.answer || "")].join("\n").toLowerCase();
  byId.set(task.id, task);
}

function wanted() {
  const parts = new Map(location.hash.slice(1).split("&").map((part) => {
    const at = part.indexOf("=");
    return [part.slice(0, at), part.slice(at + 1)];
  }));
  try {
    return { task: byId.get(decodeURIComponent(parts.get("task") || "")), step: Number(parts.get("step")) || 0 };
  } catch (error) {
    return { task: undefined, step: 0 };
  }
}

function openTask(task, step) {
  const whole = data(task.block);
  const order = index.order;
  const at = order.indexOf(task);
  const turn = (by, label) => {
    const next = at < 0 ? undefined : order[at + by];
    return next ? el("a", { href: link(next), id: by < 0 ? "previous" : "next" }, label) : el("span", { class: "dim" }, label);
  };
  const first = whole.runs.find((run) => run.first);
  const names = whole.runs.length > 1 ? index.runs : [""];
  opened.replaceChildren(
    el("nav", {}, el("a", { href: "#", id: "back" }, "← All tasks"), el("span", { class: "turn" }, turn(-1, "‹ Previous"), turn(1, "Next ›"))),
    el("h1", {}, task.id), el("p", { class: "dim" }, [...new Set([task.level, task.kind, ...(task.tags || [])])].filter(Boolean).map((word) => cut(word, 60)).join(" · ")),
    el("div", { class: "beside" },
      el("div", { class: "left" },
        el("section", { class: "question" }, el("h2", {}, "Question"), long(task.question || "(not played)", 2000),
          first ? strip(first.first.shown) : null, first ? raw(first.first.text) : null),
        el("div", { class: whole.runs.length > 1 ? "outcomes two" : "outcomes" }, whole.runs.map((run, number) => outcome(run, names[number])))),
      golden(whole.gold, whole.runs)),
    el("h2", {}, "Steps"), timeline(whole.runs),
    el("p", { class: "dim keys" }, "Keys: j and k step by step, ← and → task by task, g gold, Escape all tasks."));
  report.hidden = true;
  opened.hidden = false;
  const target = step ? document.getElementById("step-" + step) : null;
  if (target) go(target);
  else scrollTo(0, 0);
}

function route() {
  if (large.open) large.close();
  const { task, step } = wanted();
  if (task) {
    if (!report.hidden) scrolled = scrollY;
    openTask(task, step);
    return;
  }
  document.getElementById("lost")?.remove();
  if (location.hash.startsWith("#task=")) {
    document.getElementById("tasks").prepend(el("p", { id: "lost", role: "status" }, "This page has no such task."));
  }
  if (report.hidden) {
    opened.hidden = true;
    opened.replaceChildren();
    report.hidden = false;
    scrollTo(0, scrolled);
  }
}

function go(node) {
  node.focus({ preventScroll: true });
  node.scrollIntoView({ block: "start" });
}

// The next or previous of what is walked through: steps of the first run, or rows of the list.
function walk(by) {
  const nodes = [...document.querySelectorAll(report.hidden ? "#episode .step[id^='step-']:not([id^='step-b'])" : "#tasks a.row")];
  if (!nodes.length) return;
  const at = nodes.indexOf(document.activeElement.closest(".step, a.row"));
  go(nodes[at < 0 ? (by > 0 ? 0 : nodes.length - 1) : Math.min(Math.max(at + by, 0), nodes.length - 1)]);
}

const KEYS = {
  j: () => walk(1),
  k: () => walk(-1),
  ArrowLeft: () => document.getElementById("previous"),
  ArrowRight: () => document.getElementById("next"),
  g: () => document.getElementById("show-gold"),
  Escape: () => document.getElementById("back"),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || large.open || event.target.closest("input, select, textarea, .wide")) return;
  const act = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : null;
  if (!act) return;
  event.preventDefault();
  const node = act();
  if (node) node.click();
});

document.body.append(large);
large.addEventListener("click", (event) => { if (event.target === large) large.close(); });
drawList(index);
addEventListener("hashchange", route);
route();
