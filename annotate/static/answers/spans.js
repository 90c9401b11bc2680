// Spans of a text: select with the mouse, a finger or the keyboard, then press a label or its key. What is marked stands
// in a list as well, where it is chosen, moved and removed. The state is offsets in code points; the page only shows it.

import { caretBox, pointedAt, select, selected } from "./spans_caret.js";
import { drawList, drawText, heldIn } from "./spans_draw.js";
import { makeHistory } from "./spans_history.js";
import { arrowOf, commandOf, elementOf } from "./spans_keys.js";
import { added, asMapping, equal, fromMapping, isPlace, moved, removed, replaced, under } from "./spans_marks.js";
import { around, measured, short, slid, stepped, trimmed } from "./spans_text.js";

const marked = new WeakMap();

function marking(ask, say) {
  const find = (name) => ask.querySelector(`[${name}]`);
  const [box, text, caret, list, none] = ["data-given", "data-text", "data-caret", "data-marks-list", "data-none"].map(find);
  const buttons = [...ask.querySelectorAll("[data-element]")];
  const labels = buttons.map((button) => button.dataset.element);
  const says = JSON.parse(box.dataset.words);
  const measure = measured(text.textContent);
  const history = makeHistory({ spans: fromMapping(JSON.parse(box.dataset.given)), nothing: none?.checked ?? false });
  let selection = { anchor: 0, focus: 0 };
  let chosen = null;
  let opened = false;
  let drawn = new Map();
  const listening = new AbortController(); // to the document, as long as the item is on the page

  const spans = () => history.now.spans;
  const ends = () => [Math.min(selection.anchor, selection.focus), Math.max(selection.anchor, selection.focus)];
  const isEmpty = () => selection.anchor === selection.focus;
  const buttonOf = (label) => buttons[labels.indexOf(label)];
  const once = (label) => "once" in buttonOf(label).dataset;
  const quote = (words) => says.quoted.replace("{words}", () => short(words));
  const words = (span) => (isPlace(span) ? says.quoted.replace("{words}", () => around(measure, span.begin)) : quote(measure.slice(span.begin, span.end)));

  function tell(sentence, seen = false) {
    const status = find("data-said");
    status.classList.toggle("unseen", !seen);
    status.textContent = sentence;
  }
  const tellOf = (name, span) => tell(says[name].replace("{label}", span.label).replace("{words}", () => words(span)));

  function draw() {
    const within = selected(text, measure) !== null;
    // The drawing came from the server without what is chosen; from here on nodes are known by what they show.
    if (!drawn.size) text.replaceChildren();
    drawn = drawText(text, measure, spans(), labels, chosen, drawn);
    const held = list.contains(document.activeElement) ? document.activeElement.dataset : null;
    drawList(list, spans(), { chosen, opened, tone: (label) => buttonOf(label).querySelector(".tag").className.match(/tone\d/u)[0], words, says });
    if (none) none.checked = history.now.nothing;
    find("data-turn='undo'").disabled = !history.canUndo;
    find("data-turn='redo'").disabled = !history.canRedo;
    find("data-how").hidden = spans().length > 0 || history.now.nothing;
    if (held) heldIn(list, held, text).focus();
    if (within) select(text, measure, selection);
    drawCaret();
  }

  function drawCaret() {
    caret.hidden = document.activeElement !== text;
    if (caret.hidden) return;
    const { left, top, height } = caretBox(text, measure, selection.focus, text.parentElement);
    Object.assign(caret.style, { left: `${left}px`, top: `${top}px`, height: `${height}px` });
  }

  function change(state, span = null) {
    history.push(state);
    chosen = span;
    draw();
    say.changed();
  }

  function place(anchor, focus) {
    selection = { anchor, focus };
    select(text, measure, selection);
    drawCaret();
  }

  // A label is given to what is selected, or (without a selection) to what is chosen; a place goes to the caret.
  function label(name) {
    followed(); // the browser tells of a selection a little later than it is there
    const isPoint = "place" in buttonOf(name).dataset;
    opened = false;
    const [begin, end] = isPoint ? Array(2).fill(slid(measure, selection.focus)) : trimmed(measure, ...ends());
    const relabelled = !isPoint && isEmpty() && chosen !== null && !isPlace(chosen);
    if (!isPoint && isEmpty() && !relabelled) return tell(says.select_first, true);
    const [now, span] = relabelled
      ? replaced(spans(), chosen, { ...chosen, label: name }, once(name))
      : added(spans(), { label: name, begin, end }, once(name));
    change({ spans: now, nothing: false }, span);
    place(selection.focus, selection.focus);
    tellOf("marked", span);
  }

  function choose(span) {
    chosen = span;
    opened = true;
    draw();
    if (span) tellOf("chosen", span);
  }

  function remove(span) {
    tellOf("removed", span);
    change({ spans: removed(spans(), span), nothing: false });
  }

  // Moves an end of what is chosen by one step, and stays at the button that did it.
  function nudge(end, forward, byWord) {
    if (!chosen) return;
    opened = true;
    const to = stepped(measure, end === "begin" ? chosen.begin : chosen.end, forward, byWord);
    const [now, span] = replaced(spans(), chosen, moved(chosen, end, to, measure.length), once(chosen.label));
    change({ spans: now, nothing: false }, span);
    tellOf("chosen", span);
  }

  function turn(how) {
    if (!history[how]()) return;
    chosen = null;
    draw();
    say.changed();
    tell(how === "undo" ? says.undone : says.redone);
  }

  function setNothing(nothing) {
    change({ spans: nothing ? [] : spans(), nothing });
    tell(nothing ? none.parentElement.querySelector(".words").textContent : says.nothing);
  }

  function put(state) {
    change(state);
    if (!state.spans.length && !state.nothing) tell(says.nothing);
  }

  // Up, down, Home and End are the browser's to find: it knows where lines break.
  function byLine(extend, forward, granularity) {
    select(text, measure, selection);
    getSelection().modify(extend ? "extend" : "move", forward ? "forward" : "backward", granularity);
    return selected(text, measure)?.focus ?? selection.focus;
  }

  function move(arrow) {
    const { extend, forward, by } = arrow;
    chosen = chosen && (draw(), null);
    let focus = forward ? measure.length : 0;
    if (by === "character" && !extend && !isEmpty()) focus = ends()[forward ? 1 : 0];
    else if (by === "character" || by === "word") focus = stepped(measure, selection.focus, forward, by === "word");
    else if (by !== "text") focus = byLine(extend, forward, by);
    const passed = [selection.focus, focus].sort((a, b) => a - b);
    place(extend ? selection.anchor : focus, focus);
    caret.scrollIntoView?.({ block: "nearest" });
    if (isEmpty()) tell(spoken(measure.slice(...passed)));
    else tell(says.selected.replace("{words}", () => quote(measure.slice(...ends()))));
  }

  const spoken = (passed) => (/^[\r\n]+$/u.test(passed) ? says.line_end : passed.trim() === "" ? says.space : short(passed));

  function pressed(event) {
    const command = commandOf(event);
    const inText = event.target === text;
    if (command === "undo" || command === "redo") turn(command);
    else if (command === "drop") {
      if (isEmpty() && chosen === null) return;
      place(selection.focus, selection.focus);
      choose(null);
    } else if (command === "remove") {
      const span = chosen ?? (inText ? under(spans(), selection.focus) : null);
      if (span) remove(span);
    } else if (command === "all" && inText) place(0, measure.length);
    else {
      const arrow = arrowOf(event);
      if (!arrow) return;
      if (inText && !event.altKey) move(arrow);
      else if (chosen && arrow.end && event.target.closest("[data-marks-list], [data-text]")) nudge(arrow.end, arrow.forward, arrow.by === "word");
      else return;
    }
    event.preventDefault();
  }

  function clicked(event) {
    const button = event.target.closest("button");
    if (!button || button.disabled) return;
    const { element, turn: how, row, remove: gone, end, step } = button.dataset;
    if (element) label(element);
    else if (how) turn(how);
    else if (gone) remove(spans()[gone]);
    else if (end) nudge(end, step > 0, false);
    else if (row) {
      const span = spans()[row];
      button.focus(); // not every browser gives it to a button that is pressed
      choose(chosen && equal(span, chosen) ? null : span);
    }
  }

  // The browser tells of selections anywhere; a tap on a button may take the selection away, which means nothing.
  function followed() {
    if (!text.isConnected) return listening.abort();
    const now = selected(text, measure);
    if (!now || (now.anchor === selection.anchor && now.focus === selection.focus)) return;
    selection = now;
    drawCaret();
  }

  // A press elsewhere on the page does take it away.
  function left(event) {
    if (!ask.contains(event.target)) selection = { anchor: selection.focus, focus: selection.focus };
  }

  // A click or a tap puts the caret where it fell and chooses what is marked there.
  function pointed(event) {
    if (!text.contains(event.target)) return;
    text.focus({ preventScroll: true });
    const now = selected(text, measure);
    if (now && now.anchor !== now.focus) return;
    const at = pointedAt(text, measure, event) ?? selection.focus;
    place(at, at);
    const span = event.target.closest(".layer, .pin") ? (under(spans(), at) ?? under(spans(), at - 1)) : null;
    if (span || chosen) choose(span);
  }

  function turned(event) {
    const command = commandOf(event);
    if (event.defaultPrevented || event.target.closest("[data-answer], input, textarea")) return;
    if (command !== "undo" && command !== "redo") return;
    turn(command);
    event.preventDefault();
  }

  ask.addEventListener("keydown", pressed);
  ask.addEventListener("click", clicked);
  ask.addEventListener("click", pointed);
  // Buttons do not take the focus from the text: the selection would go with it.
  ask.addEventListener("mousedown", (event) => event.target.closest("button:not(.span-row)") && event.preventDefault());
  none?.addEventListener("change", () => setNothing(none.checked));
  text.addEventListener("focus", () => {
    // A press of the mouse selects by itself.
    if (text.matches(":focus-visible")) select(text, measure, selection);
    drawCaret();
  });
  text.addEventListener("blur", drawCaret);
  document.addEventListener("selectionchange", followed, { signal: listening.signal });
  document.addEventListener("pointerdown", left, { signal: listening.signal });
  ask.closest(".screen")?.addEventListener("keydown", turned);
  new ResizeObserver(() => (text.isConnected ? drawCaret() : null)).observe(text);
  draw();
  return {
    read: () => (history.now.nothing ? "none" : spans().length ? asMapping(spans(), labels) : null),
    put,
    label,
    setNothing,
    keyed: (event) => elementOf(event, buttons),
    nothing: () => (none ? !none.checked : null),
  };
}

export default {
  start(ask, say) {
    marked.set(ask, marking(ask, say));
    ask.dataset.ready = "";
  },
  read: (ask) => marked.get(ask)?.read() ?? null,
  write(ask, value) {
    const nothing = value === "none";
    marked.get(ask).put({ spans: nothing ? [] : fromMapping(value), nothing });
  },
  clear: (ask) => marked.get(ask).put({ spans: [], nothing: false }),
  press(ask, event) {
    const it = marked.get(ask);
    const name = it.keyed(event);
    if (name) it.label(name);
    else if (event.key === "0" && it.nothing() !== null) it.setNothing(it.nothing());
    else return false;
    return true;
  },
};
