// Which step of the form is in sight is the browser's affair: nothing is asked of the server, so nothing is lost.
const form = element.closest(".requester-page");
const seen = () => form.offsetParent !== null;
const buttons = () => [...element.querySelectorAll("button[data-go]")];
const show = (step, { kept = true, told = true } = {}) => {
  form.dataset.step = step;
  if (innerWidth < 700) [...form.querySelectorAll(".at-people .fold > .label-wrap.open")].slice(1).forEach((head) => head.click());
  for (const button of buttons()) {
    if (button.dataset.go === step) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }
  if (kept) history.pushState({ step }, "");
  if (told) trigger("go", { step });
};
const turn = (by) => {
  const open = buttons().filter((button) => !button.disabled).map((button) => button.dataset.go);
  const next = open[open.indexOf(form.dataset.step) + by];
  if (!next) return;
  show(next);
  scrollTo({ top: 0 });
  buttons().find((button) => button.dataset.go === next)?.focus({ preventScroll: true });
};
const leaving = () => !form.dataset.filled || confirm("Leave the form? A reload of the page empties it.");
show(form.dataset.step ?? "file", { kept: history.state?.step !== form.dataset.step, told: false });
watch("value", () => show(form.dataset.step, { kept: false, told: false }));
if (!form.dataset.followed) {
  form.dataset.followed = "yes";
  for (const kind of ["input", "change", "drop"]) form.addEventListener(kind, () => { form.dataset.filled = "yes"; });
  form.addEventListener("click", (event) => {
    const go = event.target.closest("button[data-go]"), by = event.target.closest("button[data-turn]");
    if (go) show(go.dataset.go);
    if (by) turn(Number(by.dataset.turn));
    const head = event.isTrusted && innerWidth < 700 && event.target.closest(".fold > .label-wrap");
    if (head) for (const other of form.querySelectorAll(".fold > .label-wrap.open")) if (other !== head) other.click();
    if (event.target.closest("button[data-peek]")) form.toggleAttribute("data-peek");
  });
  form.addEventListener("click", (event) => {
    if (event.target.closest(".cancels") && !leaving()) event.stopImmediatePropagation();
  }, { capture: true });
  addEventListener("beforeunload", (event) => { if (seen() && form.dataset.filled) event.preventDefault(); });
  addEventListener("popstate", (event) => {
    if (!seen()) return;
    if (event.state?.step) show(event.state.step, { kept: false });
    else if (leaving()) { delete form.dataset.filled; form.querySelector(".cancels").click(); }
    else history.pushState({ step: form.dataset.step }, "");
  });
}
