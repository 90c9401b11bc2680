// The search of a reader: the field, the count, the way from hit to hit, the marks in the text and on the map.

import { able, mark, select } from "./highlights.js";
import { firstFrom, folded, hits, lastUpTo, rowsOf } from "./search.js";

const ROWS = 240; // as many marks as can be told apart on the map
const AROUND = 60; // characters on both sides of a hit that are told to those who do not see it

export function finder(element, shape) {
  const [field, count, heard, map] = [".sought", ".count-of", ".heard", ".map"].map((name) => element.querySelector(name));
  const steps = [...element.querySelectorAll("[data-step], [data-pin]")];
  let whole = "";
  let haystack = null;
  let found = { begins: [], ends: [] };
  let at = -1;
  let anchor = 0; // where the search began: a longer word is looked for from there again
  let seen = { from: 0 };
  let painted = "";

  const hit = (index) => shape.rangeFor(found.begins[index], found.ends[index]);

  function prepare() {
    whole ||= shape.content();
    haystack ??= folded(whole);
    anchor = at < 0 ? seen.from : found.begins[at];
  }

  function look() {
    if (!haystack) prepare();
    found = hits(haystack, field.value);
    at = found.begins.length ? firstFrom(found.begins, anchor) : -1;
    draw();
    if (at >= 0) shape.reveal(found.begins[at], 0.3, true);
    paint(seen);
  }

  function step(by) {
    const { length } = found.begins;
    if (!length) return;
    at = (at + by + length) % length;
    anchor = found.begins[at];
    shape.reveal(anchor, 0.3, true);
    tell();
    paint(seen);
    if (!able) select(hit(at));
  }

  // Goes to the hit nearest to `place`, if there is one no farther than `near`; says whether there is.
  function jump(place, near) {
    const before = lastUpTo(found.begins, place);
    const [nearest] = [before, before + 1]
      .filter((index) => Math.abs(found.begins[index] - place) <= near)
      .sort((one, other) => Math.abs(found.begins[one] - place) - Math.abs(found.begins[other] - place));
    if (nearest === undefined) return false;
    at = nearest;
    step(0);
    return true;
  }

  function draw() {
    const rows = rowsOf(found.begins, shape.total, ROWS);
    const marks = rows.map((row) => {
      const line = document.createElement("i");
      line.style.top = `${((row + 0.5) / ROWS) * 100}%`;
      return line;
    });
    map.querySelector(".map-marks").replaceChildren(...marks);
    for (const button of steps) button.disabled = !found.begins.length;
    tell();
  }

  function tell() {
    const { none, of } = field.dataset;
    const asked = field.value.trim() !== "";
    const { length } = found.begins;
    count.textContent = !asked ? "" : length ? `${at + 1} ${of} ${length}` : none;
    heard.textContent = at < 0 ? "" : around();
  }

  const around = () => whole.slice(Math.max(0, found.begins[at] - AROUND), found.ends[at] + AROUND);

  // Only hits that are laid out are marked: there may be thousands.
  function paint(now) {
    seen = now;
    const [from, until] = at < 0 ? [0, 0] : shape.laidOut();
    const wanted = [from, until, at, field.value].join(" ");
    if (wanted === painted) return;
    painted = wanted;
    const marked = [];
    const last = lastUpTo(found.begins, until - 1);
    for (let index = lastUpTo(found.begins, from - 1) + 1; index <= last; index += 1) if (index !== at) marked.push(hit(index));
    mark(marked, at < 0 ? null : hit(at));
  }

  // The hit in hand stays selected, so that reading goes on from it.
  function leave() {
    const last = at;
    element.querySelector(".reader-window").focus({ preventScroll: true });
    if (last >= 0) select(hit(last));
    field.value = "";
    look();
  }

  field.addEventListener("focus", prepare);
  field.addEventListener("input", look);
  element.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (button) step(Number(button.dataset.step));
  });
  element.addEventListener("keydown", (event) => {
    const inField = event.target === field;
    if ((event.ctrlKey || event.metaKey) && event.code === "KeyF" && !inField) open(event);
    else if (event.key === "Escape" && field.value) {
      event.preventDefault();
      leave();
    } else if (inField && event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    }
  });

  function open(event) {
    event.preventDefault();
    field.focus();
    field.select();
  }

  return { paint, jump, hit: () => (at < 0 ? null : { place: found.begins[at], words: around().replace(/^\S*\s|\s\S*$/g, "…") }) };
}

// One listener for all readers that come and go. The key of "/" is "." on a Russian keyboard.
document.addEventListener("keydown", (event) => {
  const { key, code, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (key !== "/" && (code !== "Slash" || event.shiftKey)) return;
  if (target.closest?.("dialog") || target.matches?.("textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])")) return;
  const field = document.querySelector(".reader .sought");
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
});
