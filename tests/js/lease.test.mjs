// Who reads keeps the item: when signs of life are sent, what is told of the end, what happens when it comes.

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { page, settled } from "./dom.mjs";

page();
const { keeper } = await import("../../annotate/static/lease.js");

const SAYS = {
  kept: "kept until {time}.", kept_whole: "all kept until {time}.", kept_longer: "longer.", kept_last: "no longer.",
  overdue: "overdue", over: "over",
};
const LEASE = 900;

let asked; // the tokens of the signs of life that were sent
let answers; // what the server says to them, the last one again and again
let told;
let shown;
let refreshed;
let item;
let kept;

beforeEach(() => {
  const document = page();
  Object.defineProperty(document, "visibilityState", { value: "visible", configurable: true });
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: new Date("2026-03-01T12:00:00") });
  [asked, answers, told, shown, refreshed] = [[], [lease(LEASE)], [], [], 0];
  item = { token: "t1", asked: {}, given: null };
  globalThis.fetch = async (address, { body }) => {
    asked.push(JSON.parse(body).token);
    const kept = answers.length > 1 ? answers.shift() : answers[0];
    if (kept instanceof Error) throw kept;
    return { ok: true, status: 200, json: async () => ({ kept }) };
  };
  kept = keeper({
    stage: { token: () => item.token, asked: () => item.asked, given: () => item.given, screen: () => ({ lang: "ru" }) },
    teller: { tell: (text) => told.push(text), kept: (text) => shown.at(-1) !== text && shown.push(text) },
    says: (name) => SAYS[name],
    refresh: () => (refreshed += 1),
  });
});
afterEach(() => mock.timers.reset());

function lease(seconds, most = 4 * LEASE, more = {}) {
  return { seconds, most, lease: LEASE, whole: false, ...more };
}

async function passes(seconds, sign = "") {
  mock.timers.tick(seconds * 1000);
  if (sign) dispatchEvent(new Event(sign));
  mock.timers.tick(1);
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

test("who reads sends a sign of life every two minutes, however much is done", async () => {
  kept.took(lease(LEASE));
  for (let second = 0; second < 590; second += 10) await passes(10, "scroll");
  assert.equal(asked.length, 4);
  assert.deepEqual([...new Set(asked)], ["t1"]);
  assert.deepEqual(shown, [""]);
});

for (const sign of ["pointermove", "keydown", "touchmove", "focusin", "wheel"]) {
  test(`${sign} is a sign of life`, async () => {
    kept.took(lease(LEASE));
    await passes(200, sign);
    assert.equal(asked.length, 1);
  });
}

test("nothing is sent while nothing is done or the page is out of sight", async () => {
  kept.took(lease(LEASE));
  await passes(500);
  Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
  await passes(1, "pointermove");
  assert.deepEqual(asked, []);
});

test("near the end the time of day stands there, and goes when a sign of life was heard", async () => {
  kept.took(lease(LEASE));
  await passes(590);
  assert.deepEqual(shown, [""]);
  await passes(20);
  assert.deepEqual(shown, ["", "kept until 12:15. longer."]);
  await passes(60);
  assert.equal(shown.length, 2, "it does not tick");
  await passes(1, "pointerdown");
  assert.deepEqual(shown.slice(2), [""]);
});

test("at its longest the page says that it is the last, and sends no more signs", async () => {
  kept.took(lease(200, 200));
  assert.deepEqual(shown, ["kept until 12:03. no longer."]);
  await passes(150, "scroll");
  assert.deepEqual(asked, []);
});

test("a sitting is kept as a whole, and a short time is told to the second", () => {
  kept.took(lease(20, 20, { lease: 60, whole: true }));
  assert.deepEqual(shown, ["all kept until 12:00:20. no longer."]);
});

test("an answer that was begun stays, and the page says so", async () => {
  item.given = "red";
  kept.took(lease(LEASE));
  await passes(LEASE + 2);
  assert.deepEqual([told, refreshed, shown.at(-1)], [["overdue"], 0, ""]);
});

test("who is there gets the next item; who is not gets it on coming back", async () => {
  kept.took(lease(100, 100));
  await passes(70, "scroll");
  await passes(32);
  assert.deepEqual([refreshed, told], [1, []]);
  kept.took(lease(LEASE));
  await passes(LEASE + 2);
  assert.deepEqual([refreshed, told], [1, ["over"]]);
  await passes(5000);
  assert.equal(refreshed, 1);
  await passes(1, "pointermove");
  assert.equal(refreshed, 2);
});

test("an answer on its way is left alone", async () => {
  kept.took(lease(LEASE));
  item.asked = null;
  await passes(LEASE + 2);
  assert.deepEqual([refreshed, told], [0, []]);
});

test("without a connection nothing is said, and the next sign is the next attempt", async () => {
  answers = [new Error("offline"), lease(LEASE)];
  kept.took(lease(LEASE));
  await passes(200, "scroll");
  await passes(10, "scroll");
  assert.deepEqual([asked.length, told], [1, []]);
  await passes(200, "scroll");
  assert.equal(asked.length, 2);
  assert.deepEqual([told, refreshed], [[], 0]);
});

test("an item that is held no more is asked after, and a late reply to an earlier item changes nothing", async () => {
  answers = [lease(0, 0)];
  kept.took(lease(LEASE));
  await passes(200, "scroll");
  assert.equal(refreshed, 1);
  kept.took(lease(LEASE));
  await passes(200);
  dispatchEvent(new Event("scroll"));
  item.token = "t2";
  kept.took(lease(LEASE));
  await passes(0);
  assert.equal(refreshed, 1);
});

test("a screen without an item keeps nothing", async () => {
  kept.took(lease(LEASE));
  kept.took(undefined);
  await passes(2 * LEASE, "scroll");
  assert.deepEqual([asked, told, refreshed], [[], [], 0]);
  await settledSafely();
});

async function settledSafely() {
  mock.timers.reset();
  await settled();
}

test("what was said of the end is taken back when the item is there again", async () => {
  kept.took(lease(LEASE));
  await passes(LEASE + 2);
  assert.deepEqual(told, ["over"]);
  kept.took(lease(LEASE));
  assert.deepEqual(told, ["over", ""]);
  kept.took(lease(LEASE));
  assert.deepEqual(told, ["over", ""], "only once");
});
