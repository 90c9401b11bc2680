// Answers that are picked: one radio button of a group, or any number of check boxes. A key chooses its option.

const boxes = (ask) => [...ask.querySelectorAll(`input[name="${CSS.escape(ask.dataset.name)}"]`)];
const several = (ask) => boxes(ask)[0]?.type === "checkbox";

export const picks = {
  read(ask) {
    const chosen = boxes(ask).filter((box) => box.checked).map((box) => box.value);
    if (several(ask)) return chosen.length ? chosen : null;
    return chosen[0] ?? null;
  },
  write(ask, value) {
    const wanted = [value].flat();
    for (const box of boxes(ask)) box.checked = wanted.includes(box.value);
  },
  clear(ask) {
    for (const box of boxes(ask)) box.checked = false;
  },
  press(ask, event) {
    const box = boxes(ask).find((one) => one.dataset.key === event.key && !one.matches(":disabled"));
    if (!box) return false;
    box.focus();
    box.checked = several(ask) ? !box.checked : true;
    box.dispatchEvent(new Event("change", { bubbles: true }));
    return true;
  },
};
