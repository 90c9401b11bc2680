// The arithmetic of spans against values counted by hand (and by Python: its len() and slices are code points).

import assert from "node:assert/strict";
import { test } from "node:test";

import { makeEditor } from "../../annotate/static/answers/spans_editor.js";
import { makeHistory } from "../../annotate/static/answers/spans_history.js";
import { arrowOf, commandOf, elementOf } from "../../annotate/static/answers/spans_keys.js";
import { added, asMapping, depth, fromMapping, moved, segments, under } from "../../annotate/static/answers/spans_marks.js";
import { around, measured, short, slid, stepped, trimmed } from "../../annotate/static/answers/spans_text.js";

// é of two code points, a family of five in eight units, a flag of two in four, CR LF, й of two, a zero-width space.
const ODD = "е\u0301 👩‍👩‍👧 🇷🇺\r\nи\u0306\u200b д";
const span = (label, begin, end) => ({ label, begin, end });

test("units and code points lead to each other, from inside a pair too", () => {
  const odd = measured(ODD);
  assert.equal(odd.length, 18);
  assert.deepEqual([2, 3, 4, 5, 8, 9, 11].map(odd.unitOf), [2, 3, 5, 6, 11, 12, 16]);
  for (let point = 0; point <= odd.length; point += 1) assert.equal(odd.pointOf(odd.unitOf(point)), point);
  assert.equal(odd.pointOf(4), 3, "in the middle of the woman");
  assert.equal(odd.slice(3, 8), "👩‍👩‍👧");
  assert.equal(odd.slice(9, 11), "🇷🇺");
  assert.deepEqual([measured("").length, measured("").pointOf(0), measured("").unitOf(5)], [0, 0, 0]);
});

test("people step over what they see as one character", () => {
  const odd = measured(ODD);
  const seen = [0];
  while (seen.at(-1) < odd.length) seen.push(stepped(odd, seen.at(-1), true, false));
  assert.deepEqual(seen, [0, 2, 3, 8, 9, 11, 13, 15, 16, 17, 18]);
  const back = [odd.length];
  while (back.at(-1) > 0) back.push(stepped(odd, back.at(-1), false, false));
  assert.deepEqual(back, seen.reverse());
  assert.equal(stepped(odd, 1, true, false), 2, "from inside a character to its end");
});

test("by words: forward to an end, back to a beginning", () => {
  const text = measured("Кто-то пришёл, 5 км.");
  assert.deepEqual([0, 3, 6, 13].map((at) => stepped(text, at, true, true)), [3, 6, 13, 16]);
  assert.deepEqual([20, 17, 14, 3].map((at) => stepped(text, at, false, true)), [17, 15, 7, 0]);
  assert.equal(stepped(text, 19, true, true), 20);
});

test("white space at the ends is left out, unless there is nothing else", () => {
  const text = measured("а \u00a0б\u200b\r\n ");
  assert.deepEqual(trimmed(text, 1, 8), [3, 4]);
  assert.deepEqual(trimmed(text, 0, 2), [0, 1]);
  assert.deepEqual(trimmed(text, 5, 8), [5, 8]);
  assert.deepEqual([1, 3, 5, 0, 8].map((at) => slid(text, at)), [3, 3, 5, 0, 8]);
});

test("words on one line", () => {
  assert.equal(short("а\r\n  б "), "а б");
  assert.equal([...short("я".repeat(100))].length, 60);
  assert.equal(around(measured("что ты любишь, в овец."), 15), "… ты любишь, |в овец.");
});

test("spans of one label that touch become one, others lie over each other", () => {
  const [spans, made] = added([span("a", 0, 2), span("b", 1, 9), span("a", 6, 8)], span("a", 2, 6));
  assert.deepEqual(made, span("a", 0, 8));
  assert.deepEqual(spans, [span("a", 0, 8), span("b", 1, 9)]);
  assert.deepEqual(added(spans, span("V", 4, 4))[0].at(-1), span("V", 4, 4));
  assert.deepEqual(added([span("V", 4, 4)], span("V", 4, 4))[0], [span("V", 4, 4)]);
  assert.deepEqual(added([span("a", 0, 1)], span("a", 5, 6), true)[0], [span("a", 5, 6)]);
  assert.deepEqual(added([span("V", 4, 4)], span("V", 5, 5))[0].length, 2);
});

test("mappings name labels in declared order and come back", () => {
  const spans = fromMapping({ b: [[3, 5], [1, 3]], V: [[2, 2]] });
  assert.deepEqual(asMapping(spans, ["V", "a", "b"]), { V: [[2, 2]], b: [[1, 5]] });
  assert.equal(JSON.stringify(asMapping(spans, ["b", "V"])), '{"b":[[1,5]],"V":[[2,2]]}');
});

test("an end never passes the other one, a place moves as a whole", () => {
  assert.deepEqual(moved(span("a", 2, 5), "end", 1, 9), span("a", 2, 3));
  assert.deepEqual(moved(span("a", 2, 5), "begin", 7, 9), span("a", 4, 5));
  assert.deepEqual(moved(span("a", 2, 5), "end", 12, 9), span("a", 2, 9));
  assert.deepEqual(moved(span("V", 2, 2), "begin", -1, 9), span("V", 0, 0));
});

test("the innermost span is under a place", () => {
  const spans = [span("a", 0, 9), span("b", 2, 4), span("V", 3, 3)];
  assert.deepEqual([0, 2, 3, 4, 9].map((at) => under(spans, at)?.label), ["a", "b", "V", "a", undefined]);
});

test("segments are those of data/drawing/marked_text.py", () => {
  const cut = segments(8, [span("a", 0, 6), span("b", 2, 8), span("V", 1, 1), span("V", 8, 8)], ["b", "a", "V"]);
  const seen = cut.map(({ begin, end, over, pins }) => [begin, end, over.map((s) => [s.label, s.level, s.tone]), pins.map((p) => p.label)]);
  assert.deepEqual(seen, [
    [0, 1, [["a", 0, 2]], ["a"]],
    [1, 2, [["a", 0, 2]], ["V"]],
    [2, 6, [["b", 1, 1], ["a", 0, 2]], ["b"]],
    [6, 8, [["b", 1, 1]], []],
    [8, 8, [], ["V"]],
  ]);
  assert.equal(depth(cut), 2);
  assert.equal(depth(segments(3, [], [])), 0);
});

test("history undoes, redoes and forgets what was undone when something new happens", () => {
  const history = makeHistory(0);
  assert.equal(history.undo(), false);
  [1, 2, 3].forEach(history.push);
  assert.deepEqual([history.undo(), history.undo(), history.now, history.canRedo], [true, true, 1, true]);
  assert.deepEqual([history.redo(), history.now], [true, 2]);
  history.push(9);
  assert.deepEqual([history.redo(), history.canRedo, history.now], [false, false, 9]);
  for (let turn = 0; turn < 300; turn += 1) history.push(turn);
  let undone = 0;
  while (history.undo()) undone += 1;
  assert.equal(undone, 200);
});

const SENTENCE = measured("Я превращу твое сердце в траву, а все, что ты любишь, в овец.");
const editorOf = (once = []) =>
  makeEditor(SENTENCE, { isPoint: (name) => name === "V", isOnce: (name) => once.includes(name), isInside: () => false }, { spans: [], nothing: false });

test("a label goes to the selection without its white space, a point to the word behind the caret", () => {
  const editor = editorOf();
  assert.equal(editor.label("cV"), null, "nothing is selected");
  editor.select(11, 1);
  assert.deepEqual(editor.label("cV"), span("cV", 2, 10));
  assert.deepEqual(editor.selection, { anchor: 1, focus: 1 });
  editor.select(53, 53);
  assert.deepEqual(editor.label("V"), span("V", 54, 54));
  assert.equal(editor.label("R1"), null, "a place is no words");
});

test("a chosen span takes another label, moves its ends, goes and comes back", () => {
  const editor = editorOf();
  editor.select(2, 10);
  editor.label("cV");
  assert.deepEqual(editor.label("R1"), span("R1", 2, 10));
  assert.deepEqual(editor.nudge("end", true, true), span("R1", 2, 15));
  assert.deepEqual(editor.nudge("begin", true, false), span("R1", 3, 15));
  editor.remove(editor.chosen);
  assert.deepEqual([editor.spans, editor.chosen], [[], null]);
  editor.undo();
  assert.deepEqual(editor.spans, [span("R1", 3, 15)]);
  editor.put({ spans: [], nothing: true });
  assert.equal(editor.nothing, true);
  editor.select(0, 1);
  editor.label("cV");
  assert.equal(editor.nothing, false, "what is marked is not nothing");
  while (editor.undo());
  assert.deepEqual([editor.spans, editor.nothing, editor.canUndo, editor.canRedo], [[], false, false, true]);
});

test("a label that may be there once moves", () => {
  const editor = editorOf(["cV"]);
  editor.select(2, 10);
  editor.label("cV");
  editor.select(11, 15);
  editor.label("cV");
  assert.deepEqual(editor.spans, [span("cV", 11, 15)]);
});

test("keys: arrows, ends, commands on any layout", () => {
  const pressed = (key, more = {}) => ({ key, code: "", ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more });
  const right = arrowOf(pressed("ArrowRight", { ctrlKey: true, shiftKey: true }));
  assert.deepEqual(right, { extend: true, forward: true, by: "word", end: "end" });
  assert.equal(arrowOf(pressed("ArrowLeft", { altKey: true })).end, "begin");
  assert.equal(arrowOf(pressed("ArrowUp", { shiftKey: true })).end, null);
  assert.equal(arrowOf(pressed("Home", { ctrlKey: true })).by, "text");
  assert.equal(arrowOf(pressed("Tab")), null);
  assert.equal(commandOf(pressed("я", { code: "KeyZ", ctrlKey: true })), "undo");
  assert.equal(commandOf(pressed("Я", { code: "KeyZ", metaKey: true, shiftKey: true })), "redo");
  assert.equal(commandOf(pressed("z", { code: "KeyZ" })), null);
  assert.equal(commandOf(pressed("Backspace")), "remove");
  const buttons = ["1", "p"].map((key) => ({ dataset: { key, element: key } }));
  assert.equal(elementOf(pressed("з", { code: "KeyP" }), buttons), "p");
  assert.equal(elementOf(pressed("P", { code: "KeyP" }), buttons), "p");
  assert.equal(elementOf(pressed("2", { code: "Digit2" }), buttons), null);
});
