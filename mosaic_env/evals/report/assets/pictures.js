// Pictures: thumbnails that open large, and boxes of crops drawn over what they were cut from.

const large = el("dialog", { "aria-label": "Picture" });

function source(at) {
  const uri = at === null ? null : data("p" + at);
  return typeof uri === "string" && /^data:image\/(png|jpeg|webp);base64,/.test(uri) ? uri : null;
}

function image(at, alt) {
  const uri = source(at);
  if (uri === null) return null;
  const node = el("img", { alt });
  node.src = uri;
  return node;
}

function box(share) {
  const [left, top, right, bottom] = share;
  const place = { x: left, y: top, width: right - left, height: bottom - top };
  return svg("svg", { class: "box", viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-label": "box of the crop" },
    svg("rect", { class: "halo", ...place }), svg("rect", { class: "line", ...place }));
}

function enlarge(at, caption, share) {
  large.replaceChildren(
    el("div", { class: "frame" }, image(at, caption), share ? box(share) : null),
    el("p", {}, caption), button("Close", () => large.close()));
  large.showModal();
}

// A picture under its name; `share` is the box of a crop in shares of the sides.
function figure(shown, share, note) {
  const name = shown.handle || "stored picture";
  const caption = name + (note ? " · " + note : "");
  const picture = image(shown.at, name);
  if (picture === null) return el("figure", {}, el("div", { class: "missing" }, "picture left out"), el("figcaption", {}, caption));
  const open = button("", () => enlarge(shown.at, caption + ", " + shown.w + " × " + shown.h, share),
    { class: "thumb", "aria-label": "Enlarge " + caption });
  return el("figure", {}, put(open, picture, share ? box(share) : null), el("figcaption", {}, caption));
}

function strip(list) {
  return list.length ? el("div", { class: "strip" }, list.map((shown) => figure(shown))) : null;
}
