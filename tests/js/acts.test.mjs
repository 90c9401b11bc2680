// What is told of an answer: that it is saved only where it is, and what is on the screen stays when the work is stopped.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { page } from "./dom.mjs";

page();
const { sender } = await import("../../annotate/static/acts.js");

let reply; // what the server says
let told;
let status;
let shown;
let given;
let sending;

beforeEach(() => {
  const document = page('<div class="screen" data-settled><i data-tick></i><fieldset><b></b></fieldset></div>');
  Object.defineProperty(document, "visibilityState", { value: "visible", configurable: true });
  [told, status, shown, given] = [[], [], [], "1"];
  globalThis.fetch = async () => ({ ok: true, status: 200, json: async () => reply });
  const screen = () => document.querySelector(".screen");
  sending = sender({
    stage: {
      screen, given: () => given, token: () => "t1", begun: () => true,
      asked: () => document.querySelector("b"), show: (one) => shown.push(one.stage), fault: () => {},
    },
    teller: { tell: (text) => text && told.push(text), status: (text) => text && status.push(text), lasting: () => {} },
    clock: { seconds: () => 1 },
    watched: { signs: () => ({}) },
    keeping: { took: () => {} },
    says: (name) => name,
  });
});

test("an answer that another tab was quicker with is not called saved", async () => {
  reply = { stage: "work", html: "<p>", left: "elsewhere" };
  await sending.act("answer", "1");
  assert.deepEqual([told, status, shown], [["elsewhere"], [], ["work"]]);
  assert.equal(document.querySelector("[data-saved]"), null);
});

for (const left of ["", "surplus", "stopped"]) {
  test(`an answer that is kept is called saved, whatever becomes of it: ${left || "counted"}`, async () => {
    reply = { stage: "work", html: "<p>", left };
    await sending.act("answer", "1");
    assert.deepEqual([told, status, shown], [left ? [left] : [], ["saved"], ["work"]]);
  });
}

for (const [left, says] of [["expired", "overdue"], ["interrupted", "interrupted"]]) {
  test(`what was begun to answer stays on the page: ${left}`, async () => {
    reply = { stage: "paused", html: "<p>", left };
    await sending.refresh();
    assert.deepEqual([told, shown], [[says], []]);
  });
}

test("where nothing was begun the stop or the pause is shown, and nothing is told of an answer", async () => {
  given = null;
  reply = { stage: "paused", html: "<p>", left: "interrupted" };
  await sending.refresh();
  assert.deepEqual([told, shown], [[], ["paused"]]);
});
