// A button of the drawing becomes an event of the page; the one that had the focus has it again when it is redrawn.
let held = null;
element.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-act]");
  if (button) trigger("act", { act: button.dataset.act, number: button.dataset.number });
});
element.addEventListener("focusin", (event) => {
  const button = event.target.closest("button[data-act]");
  held = button ? button.dataset.number : null;
});
document.addEventListener("pointerdown", (event) => {
  if (!element.contains(event.target)) held = null;
});
watch("value", () => {
  if (held && document.activeElement === document.body) {
    const here = `[data-number="${CSS.escape(held)}"]`;
    (element.querySelector(`button${here}`) ?? element.querySelector(here))?.focus({ preventScroll: true });
  }
});
