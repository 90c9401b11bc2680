// Several questions on one screen. One of them is the current one: keys go to it, Enter goes on to the next part without
// an answer and sends when there is none, N and P move. A part that depends on another rests until it applies.

import * as answers from "./index.js";

const KEYS = { KeyN: 1, KeyP: -1 };
const STOPS = "input:enabled, textarea:enabled, button:enabled, [tabindex]";

const questions = (ask) => [...ask.querySelectorAll("[data-question]")];
const parts = (place) => [...place.querySelectorAll("[data-part]")];
const inner = (part) => part.querySelector("[data-answer]");
const resting = (part) => part.closest("fieldset[data-when]")?.disabled ?? false;
const many = (ask) => ask.querySelector("[data-questions]").dataset.questions === "many";
const current = (ask) => ask.querySelector("[data-question][aria-current]") ?? questions(ask)[0];
const missing = (part) => !resting(part) && answers.read(inner(part)) === null;
const needed = (part) => !("optional" in part.dataset) && missing(part);
const open = (question) => parts(question).some(needed);
const given = (question) => parts(question).some((part) => !resting(part) && !missing(part));

// The answers of one question, or of all of them where they are asked once; a part that rests is left out.
function mapping(place) {
  const told = parts(place).filter((part) => !resting(part)).map((part) => [part.dataset.part, answers.read(inner(part))]);
  return told.some(([, value]) => value !== null) ? Object.fromEntries(told) : null;
}

// What `value` says of a part; `place` counts the questions.
function said(value, place, name) {
  return (Array.isArray(value) ? value[place] : value)?.[name] ?? null;
}

function mark(ask, question) {
  for (const one of questions(ask)) one.removeAttribute("aria-current");
  question.setAttribute("aria-current", "true");
}

function go(ask, place) {
  const question = place.closest("[data-question]");
  mark(ask, question);
  place.querySelector(STOPS)?.focus({ preventScroll: true });
  question.scrollIntoView({ block: "nearest" });
}

// The part the keys go to: where the focus is, else the first without an answer in the current question.
function at(ask) {
  const here = parts(current(ask)).filter((part) => !resting(part));
  return here.find((part) => part.contains(document.activeElement)) ?? here.find(missing) ?? here[0];
}

// What waits is disabled and pale but keeps its place: nothing jumps when it wakes.
function settle(ask) {
  for (const place of many(ask) ? questions(ask) : [ask]) {
    for (const fieldset of place.querySelectorAll("fieldset[data-when]")) {
      const earlier = place.querySelector(`[data-part="${CSS.escape(fieldset.dataset.when)}"]`);
      fieldset.disabled = resting(earlier) || answers.read(inner(earlier)) !== fieldset.dataset.is;
    }
  }
  for (const one of questions(ask)) one.toggleAttribute("data-answered", given(one) && !open(one));
  ask.toggleAttribute("data-incomplete", questions(ask).some(open)); // Enter goes on
}

// From the questions to the text and back, on screens too narrow to hold both: what is not in sight is offered.
function way(ask) {
  const form = ask.closest("form");
  const button = form?.querySelector("[data-way]");
  if (!button) return;
  button.addEventListener("click", () => {
    const there = button.hasAttribute("data-at-text") ? current(ask) : form.querySelector(".texts");
    there.scrollIntoView({ block: "start" });
  });
  if (!("IntersectionObserver" in globalThis)) return;
  const upper = { rootMargin: "0px 0px -50% 0px" };
  new IntersectionObserver(([seen]) => button.toggleAttribute("data-at-text", !seen.isIntersecting), upper).observe(ask);
}

export default {
  start(ask, say) {
    const changed = () => {
      settle(ask);
      say.changed();
    };
    for (const part of parts(ask)) answers.start(inner(part), { changed });
    for (const sign of ["change", "input"]) ask.addEventListener(sign, () => settle(ask));
    // A finger on a label does not bring the focus in every browser.
    for (const sign of ["focusin", "change"]) {
      ask.addEventListener(sign, ({ target }) => {
        const question = target.closest("[data-question]");
        if (question) mark(ask, question);
      });
    }
    settle(ask);
    mark(ask, questions(ask).find(open) ?? questions(ask)[0]);
    way(ask);
  },

  read(ask) {
    if (!many(ask)) return mapping(ask);
    const told = questions(ask).map(mapping);
    return told.some((one) => one !== null) ? told.map((one) => one ?? {}) : null;
  },

  write(ask, value) {
    (many(ask) ? questions(ask) : [ask]).forEach((question, place) => {
      for (const part of parts(question)) {
        const one = said(value, place, part.dataset.part);
        if (one === null) answers.clear(inner(part));
        else answers.write(inner(part), one);
      }
    });
    settle(ask);
    const next = questions(ask).find(open);
    if (next) mark(ask, next);
  },

  clear(ask) {
    for (const part of parts(ask)) answers.clear(inner(part));
    settle(ask);
  },

  // Esc takes away the answer of the current question only: the others have cost reading.
  press(ask, event) {
    const step = KEYS[event.code];
    const now = current(ask);
    if (step) {
      const all = questions(ask).filter((one) => !one.disabled); // asked once, a question may rest itself
      const there = all[all.indexOf(now) + step];
      if (there) go(ask, there);
      return true;
    }
    if (event.key === "Escape") {
      if (!given(now)) return false;
      for (const part of parts(now)) answers.clear(inner(part));
      now.dispatchEvent(new Event("change", { bubbles: true }));
      go(ask, parts(now)[0]);
      return true;
    }
    return answers.press(inner(at(ask)), event);
  },

  fault(ask) {
    const next = parts(ask).find(needed);
    if (next) go(ask, next);
  },

  enter(ask) {
    const all = parts(ask);
    const from = all.indexOf(at(ask));
    const next = [...all.slice(from + 1), ...all.slice(0, from)].find(needed);
    if (next) go(ask, next);
    return next !== undefined;
  },
};
