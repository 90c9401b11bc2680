// The bar at the foot makes way for the keyboard on a phone's screen.

import assert from "node:assert/strict";
import { test } from "node:test";
import { page } from "./dom.mjs";

const { makeWay } = await import("../../annotate/static/keyboard.js");

function phone(height) {
  const document = page("<div></div>");
  Object.defineProperty(globalThis, "innerHeight", { value: 844, configurable: true });
  const view = Object.assign(new window.EventTarget(), { height, offsetTop: 0, scale: 1 });
  makeWay(document.body, view);
  return { view, lifted: () => document.body.style.getPropertyValue("--keyboard") };
}

test("without a keyboard the bar stays at the foot", () => {
  assert.equal(phone(844).lifted(), "0px");
  assert.equal(phone(790).lifted(), "0px", "an address bar is no keyboard");
});

test("the bar goes up by what the keyboard covers and comes back", () => {
  const { view, lifted } = phone(844);
  Object.assign(view, { height: 500 });
  view.dispatchEvent(new Event("resize"));
  assert.equal(lifted(), "344px");
  Object.assign(view, { offsetTop: 44 });
  view.dispatchEvent(new Event("scroll"));
  assert.equal(lifted(), "300px");
  Object.assign(view, { height: 844, offsetTop: 0 });
  view.dispatchEvent(new Event("resize"));
  assert.equal(lifted(), "0px");
});

test("a page that is only enlarged has no keyboard", () => {
  const { view, lifted } = phone(844);
  Object.assign(view, { height: 422, scale: 2 });
  view.dispatchEvent(new Event("resize"));
  assert.equal(lifted(), "0px");
});

test("a browser that cannot tell is left as it is", () => {
  makeWay(page("<div></div>").body, null);
});
