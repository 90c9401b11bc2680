// Drawing: the text in segments, of which only those that changed are made anew, and the list of what is marked. The
// shapes are those of data/drawing/templates/marked_text.html. Labels are drawn by the style sheet: the text stays the text.

import { depth, equal, isPlace, segments, toneOf } from "./spans_marks.js";

const DEEPEST = 4;
const HIGHEST_LINE = 5;

export function made(tag, className, attributes = {}, ...children) {
  const element = document.createElement(tag);
  element.className = className;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// Draws the spans into `place`. `drawn` is the map from what is seen to its node that the last call returned.
export function drawText(place, measure, spans, labels, chosen, drawn) {
  const cut = segments(measure.length, spans, labels);
  const now = new Map(cut.map((one) => [signature(one, chosen), one]));
  const nodes = new Map([...now].map(([key, one]) => [key, drawn.get(key) ?? segment(measure, one, chosen)]));
  let next = place.firstChild;
  for (const node of nodes.values()) {
    if (node === next) next = next.nextSibling;
    else place.insertBefore(node, next);
  }
  const kept = new Set(nodes.values());
  for (const node of [...place.childNodes]) if (!kept.has(node)) node.remove();
  const frame = place.parentElement;
  frame.className = frame.className.replace(/deep\d/u, `deep${Math.min(depth(cut), DEEPEST)}`);
  return nodes;
}

const isChosen = (span, chosen) => chosen !== null && equal(span, chosen);

function signature({ begin, end, over, pins, tight }, chosen) {
  const seen = (span) => `${span.label}/${span.tone}/${span.level}/${isPlace(span)}/${isChosen(span, chosen)}`;
  return JSON.stringify([begin, end, over.map(seen), pins.map(seen), tight]);
}

function segment(measure, { begin, end, over, pins, tight }, chosen) {
  const classes = ["seg", pins.length ? "pinned" : "", tight ? "tight" : ""].filter(Boolean).join(" ");
  const whole = made("span", classes);
  if (pins.length) whole.append(made("span", "pins", { "aria-hidden": "true" }, ...pins.map((pin) => pinOf(pin, chosen))));
  let inner = whole;
  for (const span of over) {
    const line = Math.min(span.level, HIGHEST_LINE);
    const layer = made("mark", `layer tone${span.tone} line${line}${isChosen(span, chosen) ? " chosen" : ""}`);
    inner.append(layer);
    inner = layer;
  }
  inner.append(measure.slice(begin, end));
  return whole;
}

function pinOf(span, chosen) {
  const classes = `pin tone${span.tone}${isPlace(span) ? " spot" : ""}${isChosen(span, chosen) ? " chosen" : ""}`;
  return made("i", classes, { "data-tag": span.label });
}

// The list of what is marked; `words` gives a span on one line. The chosen one has buttons that move its ends once it was
// `opened`: a label that was just put moves nothing on the page.
export function drawList(list, spans, { chosen, opened, labels, words, says }) {
  list.replaceChildren(
    ...spans.map((span, place) => {
      const [said, pressed] = [words(span), isChosen(span, chosen)];
      const tag = made("span", `tag tone${toneOf(span.label, labels)}${isPlace(span) ? " spot" : ""}`, {}, span.label);
      const quoted = made("span", "words", { dir: "auto" }, said);
      const row = made("button", "span-row", { type: "button", "aria-pressed": pressed, "data-row": place }, tag, quoted);
      const name = says.remove.replace("{label}", span.label).replace("{words}", () => said);
      const cross = made("span", "", { "aria-hidden": "true" }, "✕");
      const remove = made("button", "span-remove", { type: "button", "data-remove": place, "aria-label": name, title: name }, cross);
      const item = made("li", pressed ? "is-chosen" : "", {}, row, remove);
      if (pressed && opened) item.append(nudges(span, says));
      return item;
    }),
  );
}

// What has the focus after the list was drawn anew: the same button, else its row or the one chosen, else the text.
export function heldIn(list, { row, remove, end, step }, text) {
  const same = end && list.querySelector(`[data-end="${end}"][data-step="${step}"]`);
  const chosen = list.querySelector("[aria-pressed=true]");
  const rows = list.querySelectorAll("[data-row]");
  return same || chosen || rows[Math.min(row ?? remove ?? 0, rows.length - 1)] || text;
}

// Buttons that move the ends: what Shift and Alt with arrows do, for those who point.
function nudges(span, says) {
  const button = (end, step, sign) => {
    const name = says[`${end}_${step < 0 ? "back" : "forward"}`];
    return made("button", "nudge", { type: "button", "data-end": end, "data-step": step, "aria-label": name, title: name }, sign);
  };
  const pair = (end, name) =>
    made("span", "nudge-pair", {}, button(end, -1, "‹"), made("span", "hint", { "aria-hidden": "true" }, name), button(end, 1, "›"));
  const pairs = isPlace(span) ? [pair("end", says.position)] : [pair("begin", says.begin), pair("end", says.end)];
  return made("div", "nudges", {}, ...pairs);
}
