// What is marked, selected and chosen, and every change to it: no page in sight. Whoever calls draws afterwards.

import { makeHistory } from "./spans_history.js";
import { added, isPlace, moved, removed, replaced, under } from "./spans_marks.js";
import { outside, slid, stepped, trimmed } from "./spans_text.js";

// `isPoint(label)`, `isOnce(label)` and `isInside(label)` (a place that words may surround) tell what kind of label it is;
// `start` is { spans, nothing }.
export function makeEditor(measure, { isPoint, isOnce, isInside }, start) {
  const history = makeHistory(start);
  let selection = { anchor: 0, focus: 0 };
  let chosen = null;

  const spans = () => history.now.spans;
  const ends = () => [Math.min(selection.anchor, selection.focus), Math.max(selection.anchor, selection.focus)];
  const isEmpty = () => selection.anchor === selection.focus;
  const collapse = () => (selection = { anchor: selection.focus, focus: selection.focus });

  function keep([now, span]) {
    history.push({ spans: now, nothing: false });
    return (chosen = span);
  }

  function turn(how) {
    if (!history[how]()) return false;
    chosen = null;
    return true;
  }

  return {
    get spans() {
      return spans();
    },
    get nothing() {
      return history.now.nothing;
    },
    get selection() {
      return selection;
    },
    get chosen() {
      return chosen;
    },
    get canUndo() {
      return history.canUndo;
    },
    get canRedo() {
      return history.canRedo;
    },
    ends,
    isEmpty,
    collapse,
    undo: () => turn("undo"),
    redo: () => turn("redo"),
    select: (anchor, focus) => (selection = { anchor, focus }),
    choose: (span) => (chosen = span),

    // Gives a label to what is selected, without a selection to what is chosen; a point goes to the caret. Returns what
    // is marked now, null where there is nothing to mark.
    label(name) {
      if (isPoint(name)) {
        const place = slid(measure, isInside(name) ? selection.focus : outside(measure, selection.focus));
        collapse();
        return keep(added(spans(), { label: name, begin: place, end: place }, isOnce(name)));
      }
      if (!isEmpty()) {
        const [begin, end] = trimmed(measure, ...ends());
        collapse();
        return keep(added(spans(), { label: name, begin, end }, isOnce(name)));
      }
      if (!chosen || isPlace(chosen)) return null;
      return keep(replaced(spans(), chosen, { ...chosen, label: name }, isOnce(name)));
    },

    // Gives a label to a word, or puts its place before it.
    mark(name, [begin, end]) {
      collapse();
      return keep(added(spans(), { label: name, begin, end: isPoint(name) ? begin : end }, isOnce(name)));
    },

    // Makes a span reach to a word; a place moves there.
    extend(span, [begin, end]) {
      const reach = { begin: Math.min(span.begin, begin), end: Math.max(span.end, end) };
      const changed = { ...span, ...(isPlace(span) ? { begin, end: begin } : reach) };
      return keep(replaced(spans(), span, changed, isOnce(span.label)));
    },

    remove(span) {
      history.push({ spans: removed(spans(), span), nothing: false });
      chosen = null;
    },
    atCaret: () => under(spans(), selection.focus),
    at: (point) => under(spans(), point) ?? under(spans(), point - 1),

    // Moves one end of what is chosen by a step.
    nudge(end, forward, byWord) {
      const to = stepped(measure, end === "begin" ? chosen.begin : chosen.end, forward, byWord);
      return keep(replaced(spans(), chosen, moved(chosen, end, to, measure.length), isOnce(chosen.label)));
    },

    // Where a key takes the caret by character, by word or to an end of the text.
    reached({ extend, forward, by }) {
      if (by === "text") return forward ? measure.length : 0;
      if (by === "character" && !extend && !isEmpty()) return ends()[forward ? 1 : 0];
      return stepped(measure, selection.focus, forward, by === "word");
    },

    put(state) {
      history.push(state);
      chosen = null;
    },
  };
}
