// What is told of an answer: text pasted into it, the page out of sight.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { page } from "./dom.mjs";

const { attention } = await import("../../annotate/static/attention.js");

let watched;
beforeEach(() => {
  const document = page('<input id="search"><div id="answer"><textarea></textarea></div>');
  watched = attention(() => document.querySelector("#answer"));
});

const paste = (where) => document.querySelector(where).dispatchEvent(new Event("paste", { bubbles: true }));
const seen = (state) => {
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
};

test("nothing is told of who just answers", () => {
  seen("visible");
  assert.deepEqual(watched.signs(), {});
});

test("a paste into the answer is told, one into another field is not", () => {
  paste("#search");
  assert.deepEqual(watched.signs(), {});
  paste("textarea");
  assert.deepEqual(watched.signs(), { pasted: true });
});

test("a page that was out of sight is told until the next item comes", () => {
  seen("hidden");
  seen("visible");
  assert.deepEqual(watched.signs(), { away: true });
  watched.restart();
  assert.deepEqual(watched.signs(), {});
});
