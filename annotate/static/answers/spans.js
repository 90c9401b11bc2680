// Spans of a text: select with the mouse, a finger or the keyboard, then press a label or its key. What is marked stands
// in a list as well, where it is chosen, moved and removed. The state is offsets in code points; the page only shows it.

import { caretBox, pointedAt, select, selected } from "./spans_caret.js";
import { drawList, drawText, heldIn } from "./spans_draw.js";
import { makeEditor } from "./spans_editor.js";
import { arrowOf, commandOf, elementOf } from "./spans_keys.js";
import { asMapping, equal, fromMapping } from "./spans_marks.js";
import { measured } from "./spans_text.js";
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
  const editor = makeEditor(measure, { isPoint: (name) => "place" in kind(name), isOnce: (name) => "once" in kind(name) }, start);
  const voice = makeVoice(measure, says, find("said"));
  const it = { ask, text, list, none, buttons, labels, says, measure, editor, voice, opened: false };
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
    find("how").hidden = editor.spans.length > 0 || editor.nothing;
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
    it.drawCaret();
  };
  return it;
}

function label(it, name) {
  it.follow(); // the browser tells of a selection a little later than it is there
  it.opened = false;
  const span = it.editor.label(name);
  if (!span) return it.voice.tell(it.says.select_first, true);
  it.changed();
  const { anchor, focus } = it.editor.selection;
  it.place(anchor, focus);
  it.voice.of("marked", span);
}

function choose(it, span) {
  it.editor.choose(span);
  it.opened = true;
  it.draw();
  if (span) it.voice.of("chosen", span);
}

function remove(it, span) {
  it.editor.remove(span);
  it.changed();
  it.voice.of("removed", span);
}

function nudge(it, end, forward, byWord) {
  it.opened = true;
  const span = it.editor.nudge(end, forward, byWord);
  it.changed();
  it.voice.of("chosen", span);
}

function turn(it, how) {
  if (!it.editor[how]()) return;
  it.changed();
  it.voice.tell(how === "undo" ? it.says.undone : it.says.redone);
}

function put(it, state) {
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
  if (editor.chosen) choose(it, null);
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
    if (it.editor.isEmpty() && !it.editor.chosen) return false;
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
  if (now && now.anchor !== now.focus) return;
  const at = pointedAt(text, measure, event) ?? editor.selection.focus;
  it.place(at, at);
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
    if (name) label(it, name);
    else if (event.key === "0" && it.none) putNothing(it, !it.editor.nothing);
    else return false;
    return true;
  },
};
