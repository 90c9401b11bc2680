// Showing a screen: what the server drew takes the place of what stood there, and the focus goes to it.

import * as answers from "./answers/index.js";
import * as fields from "./fields/index.js";
import { complete } from "./clipboard.js";
import { invalid } from "./faults.js";
import { draft } from "./tab_storage.js";

const BEGINS = "input:enabled, textarea, select, [data-text]"; // where an answer begins: the first of these in it
const SETTLED_AFTER = 400; // the second half of a double click must not act on the screen that the first one brought

// `notice` moves from screen to screen, `changed` is called when an answer has changed, `arrived` with every new item.
export function stage(place, notice, { changed, arrived }) {
  let html = "";
  let cleared = null;

  const screen = () => place.querySelector(".screen");
  const token = () => screen()?.dataset.token ?? "";
  const asked = () => place.querySelector("fieldset:enabled > [data-answer]");
  const given = () => asked() && answers.read(asked());

  function show(reply) {
    if (reply.html === html) return;
    const before = screen();
    const now = drawn(reply.html);
    // The item in hand stays as it is: only what stands around it could be different.
    if (html && token() && name(before) === name(now) && before.lang === now.lang) return;
    if (!html) now.dataset.settled = ""; // nobody can have clicked before the first screen
    html = reply.html;
    cleared = null;
    place.replaceChildren(now);
    place.removeAttribute("aria-busy");
    now.querySelector("[data-slot]").append(notice);
    document.documentElement.lang = now.lang;
    document.title = now.dataset.title;
    complete(now);
    fields.bring(now);
    const ready = answers.bring(now).then(() => begin(now));
    setTimeout(() => ready.then(() => (now.dataset.settled = "")), SETTLED_AFTER);
    if (name(before) !== name(now)) arrive(now);
    else if (before.lang !== now.lang) now.querySelector("[data-act=language]").focus({ preventScroll: true });
  }

  // What was chosen or typed before a reload, or in the other language, stands there again.
  function begin(now) {
    if (now !== screen() || !asked()) return;
    answers.start(asked(), { changed: touched });
    const kept = draft.of(token());
    if (kept !== null) answers.write(asked(), kept);
  }

  function touched() {
    asked()?.querySelector("[data-text]")?.removeAttribute("aria-invalid");
    draft.keep(token(), given());
    changed();
  }

  function arrive(now) {
    arrived();
    const target = [...now.querySelectorAll("[data-focus]")].pop();
    if (target.dataset.focus === "stay") target.scrollIntoView({ block: "nearest" });
    else scrollTo(0, 0);
    target.focus({ preventScroll: true });
  }

  // Takes the answer away, and with nothing given puts back what was taken; returns what was taken.
  function clear() {
    if (!asked()) return null;
    const answer = given();
    if (answer === null && cleared !== null) answers.write(asked(), cleared);
    else answers.clear(asked());
    if (answer !== null && given() !== null) return null; // a long text is not thrown away
    cleared = answer;
    touched();
    return answer;
  }

  // To what is missing or wrong in an answer that was refused.
  function fault() {
    if (!asked()) return;
    fold(true);
    answers.fault(asked());
    const here = document.activeElement;
    invalid(asked().contains(here) ? here : asked().querySelector(BEGINS));
  }

  // On a phone a long text and its answer take turns.
  function fold(open = !("unfolded" in screen().dataset)) {
    screen().toggleAttribute("data-unfolded", open);
    if (open) asked()?.querySelector(BEGINS)?.focus({ preventScroll: true });
  }

  // From a text field back to the item, where keys choose again.
  function leave() {
    [...place.querySelectorAll("[data-focus]")].pop()?.focus({ preventScroll: true });
  }

  return { show, clear, fault, fold, leave, touched, screen, token, asked, given, begun: () => html !== "" };
}

const name = ({ dataset: { stage, token, waits } }) => `${stage} ${token}${waits === undefined ? "" : " waits"}`;

function drawn(html) {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return document.importNode(holder.content, true).querySelector(".screen");
}
