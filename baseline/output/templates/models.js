// A button of the drawing becomes an event of the page; the one that had the focus has it again when it is redrawn.
// Runs that are ticked stay so, and may be compared when there are two.
let held = null;
const ticked = new Set();
const boxes = () => [...element.querySelectorAll("input[data-run]")];
const tell = () => {
  const button = element.querySelector("button[data-act=compare]");
  if (!button) return;
  button.disabled = ticked.size < 2;
  button.querySelector(".ticked").textContent = ticked.size ? ` (${ticked.size})` : "";
};
element.addEventListener("click", (event) => {
  const button = event.target.closest("button[data-act]");
  if (button) trigger("act", { act: button.dataset.act, number: button.dataset.number, runs: [...ticked] });
});
element.addEventListener("change", (event) => {
  const box = event.target.closest("input[data-run]");
  if (!box) return;
  if (box.checked) ticked.add(box.dataset.run);
  else ticked.delete(box.dataset.run);
  tell();
});
element.addEventListener("focusin", (event) => {
  const button = event.target.closest("button[data-act]");
  held = button ? button.dataset.number : null;
});
document.addEventListener("pointerdown", (event) => {
  if (!element.contains(event.target)) held = null;
});
watch("value", () => {
  const here = new Set(boxes().map((box) => box.dataset.run));
  for (const run of ticked) if (!here.has(run)) ticked.delete(run);
  for (const box of boxes()) box.checked = ticked.has(box.dataset.run);
  tell();
  if (held && document.activeElement === document.body) {
    const here = `[data-number="${CSS.escape(held)}"]`;
    (element.querySelector(`button${here}`) ?? element.querySelector(here))?.focus({ preventScroll: true });
  }
});
