// Giving an item back, taking an answer back, and what is carried away.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { key, page, settled } from "./dom.mjs";

page();
const { said } = await import("../../annotate/static/skip.js");
const { complete, copy } = await import("../../annotate/static/clipboard.js");
const { listen, meaning } = await import("../../annotate/static/keys.js");
const { stage } = await import("../../annotate/static/swap.js");

const FORM = `<form data-missing="Choose what is wrong."><input type="radio" name="reason" value="skip" required><input type="radio" name="reason" value="mistake" required>
  <input type="radio" name="reason" value="other" required><p data-fault></p><textarea name="text"></textarea></form>`;

let document;
beforeEach(() => (document = page(FORM)));

function saying(reason, text = "") {
  const form = document.querySelector("form");
  for (const one of form.querySelectorAll("[name=reason]")) one.checked = one.value === reason;
  form.querySelector("textarea").value = text;
  return said(form);
}

test("without a reason nothing is said, and something else needs a word", () => {
  assert.equal(saying(null), null);
  assert.equal(document.querySelector("[data-fault]").textContent, "Choose what is wrong.");
  assert.equal(document.activeElement, document.querySelector("[name=reason]"));
  assert.equal(saying("other"), null);
  assert.equal(document.querySelector("[data-fault]").textContent, "Choose what is wrong.");
  assert.equal(document.activeElement.getAttribute("aria-invalid"), "true");
  assert.deepEqual(saying("other", " so "), { kind: "report", value: { reason: "other", text: "so", instead: true } });
  assert.equal(document.querySelector("[data-fault]").textContent, "");
});

test("not to know is a skip, anything wrong is a report, with a text or without", () => {
  assert.deepEqual(saying("skip", "x"), { kind: "skip", value: null });
  assert.deepEqual(saying("mistake"), { kind: "report", value: { reason: "mistake", text: "", instead: true } });
});

test("a link is made whole by what this server is called from outside", () => {
  document = page('<div><output data-link>/join/pilot/r.1.x</output><button>copy</button></div>', { url: "https://there.example/annotate/?study=a" });
  complete(document);
  assert.equal(document.querySelector("output").textContent, "https://there.example/join/pilot/r.1.x");
});

test("where nothing can be copied, the text stands there selected", async () => {
  document = page('<div><output data-taken>C7</output><button>copy</button></div>');
  assert.equal(await copy(document.querySelector("button")), false);
  assert.equal(String(getSelection()), "C7");
});

test("Ctrl or Cmd and Z takes back, whatever the layout, but not in a field, in a dialog or held down", () => {
  document = page('<section></section><input type="text"><textarea></textarea>');
  const means = (selector, more, inDialog = false) =>
    meaning({ target: document.querySelector(selector), key: "я", code: "KeyZ", ...more }, inDialog);
  assert.equal(means("section", { ctrlKey: true }), "undo");
  assert.equal(means("section", { metaKey: true }), "undo");
  assert.equal(means("section", { ctrlKey: true, shiftKey: true }), null);
  assert.equal(means("section", { ctrlKey: true, repeat: true }), null);
  assert.equal(means("section", { ctrlKey: true, defaultPrevented: true }), null);
  assert.equal(means("section", { ctrlKey: true }, true), null);
  for (const field of ["input", "textarea"]) assert.equal(means(field, { ctrlKey: true }), null);
});

test("a minus that the answer has no use for asks why", () => {
  document = page("<section></section>");
  const calls = [];
  let useful = true;
  listen({ inDialog: () => false, press: () => useful, skip: () => calls.push("skip"), undo: () => calls.push("undo") });
  key(document.querySelector("section"), "-");
  assert.deepEqual(calls, []);
  useful = false;
  key(document.querySelector("section"), "-");
  key(document.querySelector("section"), "z", { code: "KeyZ", ctrlKey: true });
  assert.deepEqual(calls, ["skip", "undo"]);
});

test("an item that comes again to be changed begins with the answer that the server drew", async () => {
  document = page('<div><div data-screen><div class="screen waiting"></div></div><div data-notice></div></div>');
  const shown = stage(document.querySelector("[data-screen]"), document.querySelector("[data-notice]"), { changed() {}, arrived() {} });
  shown.show({ html: `<div class="screen" lang="ru" data-stage="work" data-token="t" data-title=""><section tabindex="-1" data-focus>
    <form><fieldset><div data-answer="choice" data-script="picks" data-name="answer"><input type="radio" name="answer" value="a"><input type="radio" name="answer" value="b" checked></div>
    </fieldset></form></section><div data-slot></div></div>` });
  await settled();
  assert.equal(shown.given(), "b");
});
