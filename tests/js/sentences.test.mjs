// Numbered sentences: a number marks its sentence, arrows go from number to number, Tab stops once.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { key, page } from "./dom.mjs";

page();
const { default: start, goal } = await import("../../annotate/static/fields/sentences.js");

let numbers;
beforeEach(() => {
  const sentence = (n) => `<span class="sentence"><button type="button" aria-pressed="false" tabindex="${n === 1 ? 0 : -1}">(${n})</button> Текст.</span>`;
  const document = page(`<div class="numbered">${[1, 2, 3].map(sentence).join(" ")}</div>`);
  start(document.querySelector(".numbered"));
  numbers = [...document.querySelectorAll("button")];
});

const pressed = () => numbers.map((number) => number.getAttribute("aria-pressed"));
const stops = () => numbers.map((number) => number.tabIndex);

test("a number marks its sentence and takes the mark away again; several may be marked", () => {
  numbers[1].click();
  numbers[2].click();
  assert.deepEqual(pressed(), ["false", "true", "true"]);
  numbers[1].click();
  assert.deepEqual(pressed(), ["false", "false", "true"]);
});

test("arrows move the focus and the one stop of Tab", () => {
  numbers[0].focus();
  key(numbers[0], "ArrowRight");
  assert.equal(document.activeElement, numbers[1]);
  assert.deepEqual(stops(), [-1, 0, -1]);
  key(numbers[1], "End");
  assert.equal(document.activeElement, numbers[2]);
  const event = key(numbers[2], "ArrowRight");
  assert.equal(event.defaultPrevented, false);
});

test("a key leads to a number or nowhere", () => {
  assert.equal(goal("ArrowLeft", 0, 3), null);
  assert.equal(goal("ArrowUp", 2, 3), 1);
  assert.equal(goal("Home", 2, 3), 0);
  assert.equal(goal("a", 1, 3), null);
});
