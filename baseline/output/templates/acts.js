// What is pressed or chosen in the drawing becomes an event of the page; the place it leads to comes into view.
let after = false;
const ask = (control, more) => {
  const { act, show, model, page } = control.dataset;
  after = "topAfter" in control.dataset;
  trigger(act === "scope" ? 'scope' : 'look', { show, model, page, ...more });
};
element.addEventListener("click", (event) => {
  const control = event.target.closest("a[data-look], button[data-look]");
  if (!control) return;
  event.preventDefault();
  ask(control, {});
  if (control.tagName === "A") document.querySelector("#items-heading")?.focus();
});
element.addEventListener("change", (event) => {
  if (event.target.matches("select[data-look]")) ask(event.target, { model: event.target.value });
});
watch("value", () => {
  if (after) element.querySelector("[data-top]")?.focus();
  after = false;
});
