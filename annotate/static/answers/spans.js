// Spans of a text: press a label or its key, then the words it is for (the first marks, the next ones extend); or select
// words and press a label. What is marked stands in a list as well, where it is chosen, moved and removed. The state is
// offsets in code points; the page only shows it.

import { caretBox, pointedAt, select, selected } from "./spans_caret.js";
import { drawList, drawText, heldIn } from "./spans_draw.js";
import { makeEditor } from "./spans_editor.js";
import { arrowOf, commandOf, elementOf } from "./spans_keys.js";
import { asMapping, equal, fromMapping } from "./spans_marks.js";
import { measured, wordAt } from "./spans_text.js";
import { makeVoice } from "./spans_voice.js";

const widgets = new WeakMap();

// The elements of the page, the text in them, what is marked, and how it is drawn and told.
function widget(ask, say) {
  const find = (name) => ask.querySelector(`[data-${name}]`);
  const [box, text, caret, list, none] = ["given", "text", "caret", "marks-list", "none"].map(find);
  const buttons = [...ask.querySelectorAll("[data-element]")];
  const labels = buttons.map((button) => button.dataset.element);
  const kind = (name) => buttons[labels.indexOf(name)].dataset;
  const says = JSON.parse(box.dataset.words);
  const measure = measured(text.textContent);
  const start = { spans: fromMapping(JSON.parse(box.dataset.given)), nothing: none?.checked ?? false };
  const has = (key) => (name) => key in kind(name);
  const editor = makeEditor(measure, { isPoint: has("place"), isOnce: has("once"), isInside: has("inside") }, start);
  const voice = makeVoice(measure, says, find("said"), find("how"));
  // `armed` is what the next word is for: a label, and the span it extends, null for a new one. `placed`: the caret was put
  // where it is, so that a place can go there.
  const it = { ask, text, list, none, buttons, labels, says, measure, editor, voice, opened: false, placed: false, armed: null };
  let drawn = new Map();

  it.draw = () => {
    const within = selected(text, measure) !== null;
    const held = list.contains(document.activeElement) ? document.activeElement.dataset : null;
    // The first drawing is the server's; from here on nodes are known by what they show.
    if (!drawn.size) text.replaceChildren();
    drawn = drawText(text, measure, editor.spans, labels, editor.chosen, drawn);
    drawList(list, editor.spans, { ...it, chosen: editor.chosen, words: voice.words });
    if (none) none.checked = editor.nothing;
    find("turn=undo").disabled = !editor.canUndo;
    find("turn=redo").disabled = !editor.canRedo;
    if (held) heldIn(list, held, text).focus();
    if (within) select(text, measure, editor.selection);
    it.drawCaret();
  };
  it.drawCaret = () => {
    caret.hidden = document.activeElement !== text;
    if (caret.hidden) return;
    const { left, top, height } = caretBox(text, measure, editor.selection.focus, text.parentElement);
    Object.assign(caret.style, { left: `${left}px`, top: `${top}px`, height: `${height}px` });
  };
  it.showCaret = () => caret.scrollIntoView({ block: "nearest" });
  it.changed = () => {
    it.draw();
    say.changed();
  };
  it.place = (anchor, focus) => {
    editor.select(anchor, focus);
    select(text, measure, editor.selection);
    it.drawCaret();
  };
  // The browser tells of selections anywhere; a tap on a button may take the selection away, which means nothing.
  it.follow = () => {
    const now = selected(text, measure);
    if (!now || (now.anchor === editor.selection.anchor && now.focus === editor.selection.focus)) return;
    editor.select(now.anchor, now.focus);
    it.placed = true;
    it.drawCaret();
  };
  return it;
}

// The next word is for that label; nothing is marked yet.
function arm(it, name, span = null) {
  it.armed = name && { name, span };
  for (const button of it.buttons) button.setAttribute("aria-pressed", String(button.dataset.element === name && !span));
  const says = span ? it.says.extend : "place" in (it.buttons[it.labels.indexOf(name)]?.dataset ?? {}) ? it.says.armed_place : it.says.armed;
  it.voice.lead(name && says.replace("{label}", () => name));
  if (name) it.voice.tell(says.replace("{label}", () => name));
}

// A word is pressed: it is marked, or what was marked last reaches to it. Then comes the next label that is not used yet.
function take(it, at) {
  const word = wordAt(it.measure, at);
  if (!word) return;
  const { name, span } = it.armed;
  const made = span ? it.editor.extend(span, word) : it.editor.mark(name, word);
  it.opened = it.placed = false;
  it.changed();
  const next = it.labels[it.labels.indexOf(name) + 1];
  const fresh = !span && next && !it.editor.spans.some((one) => one.label === next);
  arm(it, fresh ? next : name, fresh ? null : made);
  it.voice.of("marked", made);
}

function label(it, name) {
  it.follow(); // the browser tells of a selection a little later than it is there
  if (!it.opened) it.editor.choose(null);
  const direct = !it.editor.isEmpty() || it.editor.chosen || ("place" in it.buttons[it.labels.indexOf(name)].dataset && it.placed);
  it.opened = it.placed = false;
  const span = direct && it.editor.label(name);
  if (!span) return it.draw(), arm(it, name);
  arm(it, null);
  it.changed();
  const { anchor, focus } = it.editor.selection;
  it.place(anchor, focus);
  it.voice.of("marked", span);
}

function choose(it, span) {
  it.editor.choose(span);
  it.opened = true;
  it.draw();
  arm(it, span?.label ?? null, span);
  if (span) it.voice.of("chosen", span);
}

function remove(it, span) {
  arm(it, null);
  it.editor.remove(span);
  it.changed();
  it.voice.of("removed", span);
}

function nudge(it, end, forward, byWord) {
  it.opened = true;
  const span = it.editor.nudge(end, forward, byWord);
  it.changed();
  arm(it, span.label, span);
  it.voice.of("chosen", span);
}

function turn(it, how) {
  if (!it.editor[how]()) return;
  arm(it, null);
  it.changed();
  it.voice.tell(how === "undo" ? it.says.undone : it.says.redone);
}

function put(it, state) {
  arm(it, null);
  it.editor.put(state);
  it.changed();
  if (state.nothing) it.voice.tell(it.none.closest("label").querySelector(".words").textContent);
  else if (!state.spans.length) it.voice.tell(it.says.nothing);
}

const putNothing = (it, nothing) => put(it, { spans: nothing ? [] : it.editor.spans, nothing });

// Lines are the browser's to find: it knows where they break.
function byLine({ text, measure, editor }, { extend, forward, by }) {
  select(text, measure, editor.selection);
  getSelection().modify(extend ? "extend" : "move", forward ? "forward" : "backward", by);
  return selected(text, measure)?.focus ?? editor.selection.focus;
}

function move(it, arrow) {
  const { editor, voice } = it;
  if (editor.chosen && it.opened) choose(it, null);
  it.placed = true;
  const before = editor.selection;
  const focus = arrow.by.startsWith("line") ? byLine(it, arrow) : editor.reached(arrow);
  it.place(arrow.extend ? before.anchor : focus, focus);
  it.showCaret();
  if (editor.isEmpty()) voice.passed(...[before.focus, focus].sort((a, b) => a - b));
  else voice.selected(...editor.ends());
}

// Each does what a command asks for and tells whether it was of use.
const COMMANDS = {
  undo: (it) => (turn(it, "undo"), true),
  redo: (it) => (turn(it, "redo"), true),
  drop(it) {
    if (it.editor.isEmpty() && !it.editor.chosen && !it.armed) return false;
    const { focus } = it.editor.selection;
    it.place(focus, focus);
    choose(it, null);
    return true;
  },
  remove(it, inText) {
    const span = it.editor.chosen ?? (inText ? it.editor.atCaret() : null);
    if (span) remove(it, span);
    return true;
  },
  all: (it, inText) => inText && (it.place(0, it.measure.length), true),
};

function pressed(it, event) {
  const inText = event.target === it.text;
  const command = commandOf(event);
  if (command) return COMMANDS[command](it, inText);
  if (event.key === " " && inText && it.armed) return take(it, it.editor.selection.focus), true;
  const arrow = arrowOf(event);
  if (!arrow) return false;
  if (inText && !event.altKey) move(it, arrow);
  else if (it.editor.chosen && arrow.end && (inText || it.list.contains(event.target))) nudge(it, arrow.end, arrow.forward, arrow.by === "word");
  else return false;
  return true;
}

// Undoing works from anywhere on the screen where nothing else is typed.
function pressedElsewhere(it, event) {
  if (event.defaultPrevented || event.target.closest("[data-answer], input, textarea")) return false;
  const command = commandOf(event);
  return (command === "undo" || command === "redo") && COMMANDS[command](it);
}

function clicked(it, event) {
  const button = event.target.closest("button");
  if (!button) return;
  const { element, turn: how, row, remove: gone, end, step } = button.dataset;
  if (element) label(it, element);
  else if (how) turn(it, how);
  else if (gone) remove(it, it.editor.spans[gone]);
  else if (end) nudge(it, end, step > 0, false);
  else if (row) {
    const span = it.editor.spans[row];
    button.focus(); // not every browser gives it to a button that is pressed
    choose(it, it.editor.chosen && equal(span, it.editor.chosen) ? null : span);
  }
}

// A click or a tap puts the caret where it fell and chooses what is marked there.
function pointed(it, event) {
  const { text, measure, editor } = it;
  if (!text.contains(event.target)) return;
  text.focus({ preventScroll: true });
  const now = selected(text, measure);
  const fresh = it.armed && !it.armed.span;
  if (now && now.anchor !== now.focus) return fresh && label(it, it.armed.name);
  const at = pointedAt(text, measure, event) ?? editor.selection.focus;
  it.place(at, at);
  const other = event.target.closest(".layer") && it.armed?.span && !equal(editor.at(at), it.armed.span);
  if (it.armed && !other) return take(it, at);
  it.placed = true;
  const span = event.target.closest(".layer") ? editor.at(at) : null;
  if (span || editor.chosen) choose(it, span);
}

function listen(it) {
  const { ask, text, none, editor } = it;
  const gone = new AbortController(); // the document outlives the item
  const used = (act) => (event) => act(it, event) && event.preventDefault();
  ask.addEventListener("keydown", used(pressed));
  ask.closest(".screen")?.addEventListener("keydown", used(pressedElsewhere));
  ask.addEventListener("click", (event) => (clicked(it, event), pointed(it, event)));
  // Buttons do not take the focus from the text: the selection would go with it.
  ask.addEventListener("mousedown", (event) => event.target.closest("button:not(.span-row)") && event.preventDefault());
  none?.addEventListener("change", () => putNothing(it, none.checked));
  text.addEventListener("blur", it.drawCaret);
  text.addEventListener("focus", () => {
    // A press of the mouse selects by itself.
    if (text.matches(":focus-visible")) select(text, it.measure, editor.selection);
    it.drawCaret();
  });
  document.addEventListener("selectionchange", () => (text.isConnected ? it.follow() : gone.abort()), { signal: gone.signal });
  // A press elsewhere on the page drops the selection.
  document.addEventListener("pointerdown", ({ target }) => ask.contains(target) || editor.collapse(), { signal: gone.signal });
  new ResizeObserver(() => text.isConnected && it.drawCaret()).observe(text);
}

export default {
  start(ask, say) {
    const it = widget(ask, say);
    widgets.set(ask, it);
    it.draw();
    listen(it);
    ask.dataset.ready = "";
  },
  read(ask) {
    const { editor, labels } = widgets.get(ask) ?? {};
    if (!editor) return null;
    if (editor.nothing) return "none";
    return editor.spans.length ? asMapping(editor.spans, labels) : null;
  },
  write(ask, value) {
    const nothing = value === "none";
    put(widgets.get(ask), { spans: nothing ? [] : fromMapping(value), nothing });
  },
  clear: (ask) => put(widgets.get(ask), { spans: [], nothing: false }),
  press(ask, event) {
    const it = widgets.get(ask);
    const name = elementOf(event, it.buttons);
    if (name) {
      label(it, name);
      if (it.armed) it.text.focus({ preventScroll: true });
    } else if (event.key === "0" && it.none) putNothing(it, !it.editor.nothing);
    else return false;
    return true;
  },
};
