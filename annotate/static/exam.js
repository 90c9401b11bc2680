// An exam: which tasks are marked to be looked at again, and a clock that can be hidden. It warns when little time is left.

import { duration } from "./messages.js";
import { store } from "./tab_storage.js";

const TICK = 1_000;
const NEAR = [60, 600]; // seconds before the end at which a warning comes

const marks = store(() => localStorage, "marks");
const hides = store(() => localStorage, "clock");

// `tell` tells, `language` is that of the page, `over` is called when the time is over.
export function exam(root, { says, tell, language, over }) {
  let until = null;
  let warned = Infinity;

  // Takes what the server says of the item on the screen.
  function took(kept) {
    until = kept?.ends ? Date.now() + kept.seconds * 1000 : null;
    paint();
  }

  function paint() {
    const marked = marks.get() ?? [];
    for (const one of root.querySelectorAll("[data-mark]")) {
      one.setAttribute("aria-pressed", String(marked.includes(one.dataset.mark)));
    }
    for (const one of root.querySelectorAll("[data-task]")) {
      one.toggleAttribute("data-marked", marked.includes(one.dataset.task));
    }
    const clock = root.querySelector("[data-clock]");
    if (!clock || until === null) return;
    const left = Math.max(0, Math.round((until - Date.now()) / 1000));
    clock.setAttribute("aria-pressed", String(!hides.get()));
    clock.querySelector("output").textContent = hides.get() ? "" : figures(left);
  }

  function mark(number) {
    const marked = marks.get() ?? [];
    marks.put(marked.includes(number) ? marked.filter((one) => one !== number) : [...marked, number]);
    paint();
  }

  function tick() {
    if (until === null) return;
    const left = Math.round((until - Date.now()) / 1000);
    paint();
    const near = NEAR.find((seconds) => left <= seconds) ?? Infinity;
    if (left > 0 && near < warned) tell(says("exam_near").replace("{time}", duration(left, language())));
    warned = near;
    if (left <= 0) over();
  }

  setInterval(tick, TICK);

  return { took, paint, mark, hide: () => (hides.put(hides.get() ? null : true), paint()) };
}

const two = (number) => String(number).padStart(2, "0");

// "1:05:09", "12:30"
function figures(seconds) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
}
