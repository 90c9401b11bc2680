import assert from "node:assert/strict";
import { test } from "node:test";
import { firstFrom, folded, hits, lastUpTo, rowsOf } from "../../annotate/static/fields/search.js";
import { page } from "./dom.mjs";

// The stretches of a text that a search finds, cut out of the text as it is.
function found(text, query) {
  const { begins, ends } = hits(folded(text), query);
  return begins.map((begin, index) => text.slice(begin, ends[index]));
}

function quickest(run) {
  const times = Array.from({ length: 7 }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return Math.min(...times);
}

test("capital letters, ё and kinds of dashes and quotes make no difference", () => {
  assert.deepEqual(found("Ёлка, елка и ЁЛКА", "елка"), ["Ёлка", "елка", "ЁЛКА"]);
  assert.deepEqual(found("Елка и ёлка", "Ёлка"), ["Елка", "ёлка"]);
  assert.deepEqual(found("ключ — «7», ключ - \"7\"", "ключ – “7”"), ["ключ — «7»", 'ключ - "7"']);
});

test("й is no и, written as one character or as two", () => {
  assert.deepEqual(found("мои мой мои\u0306 МОИ\u0306", "мой"), ["мой", "мои\u0306", "МОИ\u0306"]);
  assert.deepEqual(found("мой мои", "мои"), ["мои"]);
});

test("any white space between words stands for a space", () => {
  assert.deepEqual(found("ключ\u00a0доступа, ключ\r\n доступа, ключ  \tдоступа", "ключ доступа"), [
    "ключ\u00a0доступа",
    "ключ\r\n доступа",
    "ключ  \tдоступа",
  ]);
  assert.deepEqual(found("ключ доступа", "  ключ   доступа "), ["ключ доступа"]);
});

test("stress marks, soft hyphens and invisible signs are passed over and marked along", () => {
  assert.deepEqual(found("за\u0301мок и замо\u0301к", "замок"), ["за\u0301мок", "замо\u0301к"]);
  assert.deepEqual(found("пере\u00adправа", "переправа"), ["пере\u00adправа"]);
  assert.deepEqual(found("сло\u200bво\ufeff", "слово"), ["сло\u200bво\ufeff"]);
});

test("offsets are those of the text even behind letters that change their length", () => {
  assert.deepEqual(found("İİ 👩‍👩‍👧 ﬁ ß Ёж", "еж"), ["Ёж"]);
  assert.deepEqual(found("ΣΊΣΥΦΟΣ x", "x"), ["x"]);
});

test("hits do not overlap, and nothing is found for nothing", () => {
  assert.deepEqual(found("аааа", "аа"), ["аа", "аа"]);
  assert.deepEqual(found("а б", ""), []);
  assert.deepEqual(found("а  б", "   "), []);
  assert.deepEqual(found("", "а"), []);
  assert.deepEqual(found("а", "аб"), []);
});

test("what stands for nothing but itself is found as by a plain search", () => {
  const letters = ["а", "б", "Е", "ё", " ", "-", "1", ".", "\n"];
  let seed = 7;
  const next = (below) => (seed = (seed * 48271) % 2147483647) % below;
  for (let round = 0; round < 300; round += 1) {
    const text = Array.from({ length: next(40) }, () => letters[next(letters.length)]).join("");
    const query = "аб".slice(0, 1 + next(2));
    const plain = [];
    for (let at = text.indexOf(query); at >= 0; at = text.indexOf(query, at + query.length)) plain.push(at);
    assert.deepEqual(hits(folded(text), query).begins, plain);
  }
});

test("places never go back and the last one is where the text ends", () => {
  const text = "  Ёж\u0301 \r\n—\u00ad и\u0306 İ ";
  const { text: made, places } = folded(text);
  assert.equal(places.length, made.length + 1);
  assert.equal(places.at(-1), text.length);
  assert.ok(places.every((place, index) => index === 0 || place >= places[index - 1]));
});

test("half a megabyte is folded and searched within the time of a key press", () => {
  const text = "Ещё один длинный рассказ о дороге — без конца и без начала.\n".repeat(5000);
  const haystack = folded(text);
  assert.equal(hits(haystack, "о").begins.length, 5000 * 5);
  // The quickest of several: other programs take their share of the machine.
  const folding = quickest(() => folded(text));
  const searching = quickest(() => hits(haystack, "о"));
  assert.ok(folding < 200 && searching < 50, `folded in ${folding} ms, searched in ${searching} ms`);
});

test("a place among sorted ones is found from both sides", () => {
  assert.deepEqual([-1, 0, 4, 5, 99].map((value) => lastUpTo([0, 5, 9], value)), [-1, 0, 0, 1, 2]);
  assert.deepEqual([0, 1, 5, 6, 10].map((value) => firstFrom([0, 5, 9], value)), [0, 1, 1, 2, 0]);
});

test("hits that fall together on the map are marked once", () => {
  assert.deepEqual(rowsOf([0, 1, 499, 500, 999], 1000, 10), [0, 4, 5, 9]);
});

test("what belongs to a text is remembered for the item in hand and forgotten with the next one", async () => {
  page();
  const { keep, kept } = await import("../../annotate/static/fields/place.js");
  assert.deepEqual(kept("one", "context"), {});
  keep("one", "context", { place: 40 });
  keep("one", "context", { read: "01" });
  keep("one", "other", { place: 7 });
  assert.deepEqual([kept("one", "context"), kept("one", "other"), kept("two", "context")], [{ place: 40, read: "01" }, { place: 7 }, {}]);
  keep("two", "context", { place: 1 });
  assert.deepEqual(kept("one", "context"), {});
});

test("a browser that forbids storage still reads", async () => {
  page();
  Object.defineProperty(globalThis, "sessionStorage", {
    get() {
      throw new Error("denied");
    },
    configurable: true,
  });
  const { keep, kept } = await import("../../annotate/static/fields/place.js");
  keep("one", "context", { place: 40 });
  assert.deepEqual(kept("one", "context"), {});
});
