// A document to test scripts with: made from HTML, its objects put where a browser has them.

import { JSDOM } from "jsdom";

const GLOBALS = [
  "window", "document", "location", "sessionStorage", "localStorage", "Node", "Element", "HTMLElement", "Event", "CustomEvent",
  "KeyboardEvent", "MouseEvent", "InputEvent", "Range", "NodeFilter", "MutationObserver", "getSelection", "getComputedStyle",
];

// Makes a page with this body the present one and returns its document. `url` tells what location says.
export function page(body = "", { url = "http://127.0.0.1/annotate/?study=pilot", head = "" } = {}) {
  const { window } = new JSDOM(`<!doctype html><html><head>${head}</head><body>${body}</body></html>`, {
    url,
    pretendToBeVisual: true,
  });
  for (const name of GLOBALS) put(name, name === "window" ? window : bound(window, name));
  put("CSS", { escape: (text) => String(text).replace(/[^\w\u0080-\uffff-]/g, "\\$&") });
  put("requestAnimationFrame", window.requestAnimationFrame.bind(window));
  for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"]) put(name, window[name].bind(window));
  put("scrollTo", () => {});
  window.Element.prototype.scrollIntoView ??= () => {};
  return window.document;
}

// A key as a browser reports it, sent to `target`; returns the event, so that a test can see what was prevented.
export function key(target, name, more = {}) {
  const event = new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more });
  target.dispatchEvent(event);
  return event;
}

// Lets everything that waits for a promise go on.
export const settled = () => new Promise((resolve) => setTimeout(resolve));

function bound(window, name) {
  const value = window[name];
  return typeof value === "function" && !value.prototype ? value.bind(window) : value;
}

// Node has some of these names itself, as getters.
function put(name, value) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
