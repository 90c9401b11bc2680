// The active time: only while the tab is in sight and somebody does something.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { page } from "./dom.mjs";

const { activeClock } = await import("../../annotate/static/clock.js");

let now;
let clock;
beforeEach(() => {
  const document = page();
  now = 0;
  Object.defineProperty(globalThis, "performance", { value: { now: () => now }, configurable: true });
  Object.defineProperty(document, "visibilityState", { value: "visible", configurable: true });
  clock = activeClock();
});

const passes = (seconds) => (now += seconds * 1000);
const seen = (state) => {
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
};

test("time passes while somebody works", () => {
  passes(20);
  dispatchEvent(new Event("keydown"));
  passes(5);
  assert.equal(clock.seconds(), 25);
});

test("a minute after the last sign the time stands still", () => {
  passes(600);
  assert.equal(clock.seconds(), 60);
  dispatchEvent(new Event("pointermove"));
  passes(10);
  assert.equal(clock.seconds(), 70);
});

test("a tab out of sight takes no time", () => {
  passes(10);
  seen("hidden");
  passes(30);
  seen("visible");
  passes(5);
  assert.equal(clock.seconds(), 15);
});

test("every item begins at nought", () => {
  passes(10);
  clock.restart();
  passes(3);
  assert.equal(clock.seconds(), 3);
});
