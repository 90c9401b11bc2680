// The page's state is its address: a press on one of its links draws what the link names, and the browser's way back
// goes back. A link whose `rel` begins with stay- keeps the place and the focus. j and k (or the arrows) are the links to
// the next item and the one before.
let returning = "", up = false, asked = 0;
const draw = () => {
  element.firstElementChild?.setAttribute("aria-busy", "true");
  trigger("look", { query: location.search, asked: ++asked });
};
const go = (href, back, keep) => {
  [returning, up] = [back, !keep];
  history.pushState(null, "", href);
  draw();
};
element.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-go], a[data-png], a[data-copy]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if ("copy" in link.dataset && !navigator.clipboard) return;
  event.preventDefault();
  if ("png" in link.dataset) savePicture(link.href);
  else if ("copy" in link.dataset) copyText(link);
  else go(link.href, link.rel, link.rel.startsWith("stay-"));
});
const savePicture = (address) => {
  const picture = new Image();
  picture.onload = () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 2 * picture.width, height: 2 * picture.height });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    const name = `${new URLSearchParams(location.search).get("study")}.png`;
    Object.assign(document.createElement("a"), { href: canvas.toDataURL("image/png"), download: name }).click();
  };
  picture.src = address;
};
const copyText = async (link) => {
  const reply = await fetch(link.href);
  if (!reply.ok) return location.assign(link.href);
  await navigator.clipboard.writeText(await reply.text());
  link.textContent = "Copied";
};
element.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-rules]"), name = event.target.dataset.goTo;
  const address = new URL(location.href), query = address.searchParams;
  if (form) {
    const chosen = event.target.name === "procedure" ? [event.target] : [...form.elements];
    [...form.elements].forEach((control) => query.delete(control.name));
    chosen.filter((control) => control.type === "hidden" || control.value !== control.dataset.own)
      .forEach((control) => query.set(control.name, control.value));
    query.set("study", form.elements.study.value);
  } else if (name) {
    query.set(name, event.target.value);
    query.delete("page");
  } else return;
  go(address.href, form ? "rules" : name, true);
});
element.addEventListener("submit", (event) => event.target.matches("[data-rules]") && event.preventDefault());
addEventListener("popstate", draw);
const KEYS = { KeyJ: "next", ArrowRight: "next", KeyK: "prev", ArrowLeft: "prev" };
document.addEventListener("keydown", (event) => {
  const rel = KEYS[event.code];
  if (!rel || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing) return;
  if (event.target.closest("input, textarea, select, [contenteditable], [role='listbox']")) return;
  if (event.code.startsWith("Arrow") && event.target.closest("[tabindex='0']:not(a)")) return;
  const link = element.querySelector(`a[rel="${rel}"]`);
  if (!link) return;
  event.preventDefault();
  go(link.href, "");
});
watch("value", () => {
  const again = returning && `a[rel="${returning}"], select[data-go-to="${returning}"], details.${returning} summary`;
  const wanted = (again && element.querySelector(again)) || element.querySelector("[data-heading]");
  if (returning === "rules") element.querySelector("details.rules")?.setAttribute("open", "");
  if (up) scrollTo({ top: 0 });
  [returning, up] = ["", false];
  wanted?.focus({ preventScroll: true });
});
