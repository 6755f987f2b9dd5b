// Opens every task of the page, presses every button in it, and returns what must not be there.
(async () => {
  const tags = new Set(("html head meta title style body main header h1 h2 h3 h4 section p dl dt dd div table thead tbody " +
    "tr th td b small svg rect script noscript nav a span aside button ol li article details summary figure figcaption " +
    "img i label input select option dialog br").split(" "));
  const names = new Set(("charset name content http-equiv lang id class hidden type href alt aria-label aria-expanded " +
    "aria-pressed aria-live aria-labelledby role tabindex for value placeholder scope width height viewBox " +
    "preserveAspectRatio x y rx autocomplete src open").split(" "));
  const wrong = [];
  const check = (where) => {
    for (const e of document.querySelectorAll("*")) {
      if (!tags.has(e.localName)) wrong.push([where, "element", e.localName]);
      if (e.localName === "script" && e.type !== "application/json" && e !== document.scripts[document.scripts.length - 1])
        wrong.push([where, "script"]);
      for (const a of e.attributes) {
        if (!names.has(a.name)) wrong.push([where, "attribute", a.name]);
        if (a.name === "href" && !a.value.startsWith("#")) wrong.push([where, "href", a.value]);
        if (a.name === "src" && !a.value.startsWith("data:image/png;base64,")) wrong.push([where, "src", a.value.slice(0, 80)]);
      }
    }
    if (document.styleSheets.length !== 1) wrong.push([where, "style sheets", document.styleSheets.length]);
    if (window.broken) wrong.push([where, "ran"]);
    if (/[\u0000-\u0008\u000b\u000e-\u001f\u200b-\u200f\u2028-\u202e\u2066-\u2069]|[\ud800-\udfff]/u.test(document.body.innerText))
      wrong.push([where, "hidden characters"]);
  };
  check("list");
  document.querySelectorAll("#tasks button.more").forEach((b) => b.click());
  document.querySelectorAll("#tasks button.more").forEach((b) => b.click());
  check("whole list");
  const links = [...document.querySelectorAll("a.row")].map((a) => a.getAttribute("href"));
  const questions = [];
  for (const link of links) {
    location.hash = link;
    await new Promise((done) => setTimeout(done, 0));
    await new Promise((done) => setTimeout(done, 0));
    document.getElementById("show-gold").click();
    for (let round = 0; round < 2; round++)
      document.querySelectorAll("#episode button:not(#show-gold):not(.thumb)").forEach((b) => b.click());
    document.querySelectorAll("#episode details").forEach((d) => { d.open = true; });
    document.querySelector("#episode .thumb")?.click();
    await new Promise((done) => setTimeout(done, 0));
    questions.push(document.querySelector("#episode .question > .text")?.textContent ?? null);
    check(link);
    document.querySelector("dialog").close();
    if (wrong.length > 20) break;
  }
  return { wrong, links: links.length, questions };
})()
