// The rules of written texts: the same cases that `tests/test_answers_write.py` puts to the server's rules.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { judged, sentences, startsWith, words } from "../../annotate/static/answers/rules.js";

const cases = JSON.parse(readFileSync(new URL("./rules_cases.json", import.meta.url), "utf8"));

for (const one of cases) {
  test(`words and sentences of ${JSON.stringify(one.text)}`, () => {
    assert.equal(words(one.text), one.words);
    assert.equal(sentences(one.text), one.sentences);
    for (const [start, kept] of Object.entries(one.starts ?? {})) assert.equal(startsWith(one.text, start), kept, start);
  });
}

test("a limit is kept up to its number and says how far the text has come", () => {
  assert.deepEqual(judged("words", "3", " раз два три "), { kept: true, count: 3 });
  assert.deepEqual(judged("words", "2", "раз два три"), { kept: false, count: 3 });
  assert.deepEqual(judged("characters", "1", "🙂"), { kept: true, count: 1 });
});

test("a text holds the sign of a gap once", () => {
  for (const [text, kept] of [["_____ получил", true], ["Кто?", false], ["_____ и _____", false]]) {
    assert.equal(judged("holds", "_____", text).kept, kept, text);
  }
});

test("a question ends with its mark, white space behind it does not matter", () => {
  assert.equal(judged("ends", "?", "Кто там? ").kept, true);
  assert.equal(judged("ends", "?", "Кто там").kept, false);
});
