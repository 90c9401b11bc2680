// Answers that are picked: one radio button of a group, or any number of check boxes. A key chooses its option; a letter
// begins a search where there are more options than digits.

import { finding, startFinding } from "./finding.js";

const boxes = (ask) => [...ask.querySelectorAll(`input[name="${CSS.escape(ask.dataset.name)}"]`)];
const several = (ask) => boxes(ask)[0]?.type === "checkbox";

export const picks = {
  start(ask) {
    startFinding(ask, (box) => toggle(ask, box));
    ask.addEventListener("change", ({ target }) => apart(ask, target));
  },
  read(ask) {
    const chosen = boxes(ask).filter((box) => box.checked).map((box) => box.value);
    if (several(ask)) return chosen.length ? chosen.filter(Boolean) : null;
    return chosen[0] ?? null;
  },
  write(ask, value) {
    const wanted = value.length === 0 ? [""] : [value].flat();
    for (const box of boxes(ask)) box.checked = wanted.includes(box.value);
  },
  clear(ask) {
    for (const box of boxes(ask)) box.checked = false;
    finding(ask)?.clear();
  },
  press(ask, event) {
    const box = boxes(ask).find((one) => one.dataset.key === event.key && !one.matches(":disabled"));
    if (!box) return finding(ask)?.press(event) ?? false;
    box.focus();
    toggle(ask, box);
    return true;
  },
};

// "None of them" and any of them are never chosen together.
function apart(ask, box) {
  if (!box.checked || !several(ask)) return;
  for (const other of boxes(ask)) if (("none" in other.dataset) !== ("none" in box.dataset)) other.checked = false;
}

function toggle(ask, box) {
  box.checked = several(ask) ? !box.checked : true;
  box.dispatchEvent(new Event("change", { bubbles: true }));
}
