// An exam: marks outlive a reload, the clock can be hidden, warns twice, and says when the time is over.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { page } from "./dom.mjs";

page();
const { exam } = await import("../../annotate/static/exam.js");

const SCREEN = `<button data-clock><output></output></button><button data-mark="2"></button>
  <ol><li><button data-task="1"></button></li><li><button data-task="2"></button></li></ol>`;

let told;
let over;
let sat;

const clock = () => document.querySelector("output").textContent;
const marked = () => [...document.querySelectorAll("[data-marked]")].map((one) => one.dataset.task);

beforeEach(() => {
  page(SCREEN);
  mock.timers.enable({ apis: ["setInterval", "Date"], now: new Date("2026-03-01T12:00:00") });
  [told, over] = [[], 0];
  sat = exam(document.body, {
    says: (name) => `${name} {time}`, tell: (text) => told.push(text), language: () => "en", over: () => (over += 1),
  });
});
afterEach(() => mock.timers.reset());

test("the clock runs, warns at ten minutes and at one, and ends once the server says so", () => {
  sat.took({ ends: true, seconds: 3_605 });
  assert.equal(clock(), "1:00:05");
  mock.timers.tick(3_000_000);
  assert.equal(clock(), "10:05");
  assert.deepEqual(told, []);
  mock.timers.tick(6_000);
  mock.timers.tick(200_000);
  assert.equal(told.length, 1);
  mock.timers.tick(345_000);
  assert.equal(told.length, 2);
  assert.equal(over, 0);
  mock.timers.tick(60_000);
  assert.ok(over > 0);
  sat.took(undefined);
  const ends = over;
  mock.timers.tick(60_000);
  assert.equal(over, ends);
});

test("a sitting without a limit has no clock", () => {
  sat.took({ ends: false, seconds: 900 });
  mock.timers.tick(3_600_000);
  assert.deepEqual([clock(), told, over], ["", [], 0]);
});

test("the clock can be hidden and shown, and warns all the same", () => {
  sat.took({ ends: true, seconds: 900 });
  sat.hide();
  assert.equal(clock(), "");
  assert.equal(document.querySelector("[data-clock]").getAttribute("aria-pressed"), "false");
  mock.timers.tick(400_000);
  assert.equal(told.length, 1);
  sat.hide();
  assert.equal(clock(), "8:20");
});

test("a mark stays where it was set until it is taken away", () => {
  sat.mark("2");
  assert.deepEqual(marked(), ["2"]);
  assert.equal(document.querySelector("[data-mark]").getAttribute("aria-pressed"), "true");
  sat.mark("1");
  sat.mark("2");
  assert.deepEqual(marked(), ["1"]);
});
