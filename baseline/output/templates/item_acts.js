// The page's state is its address: a press on one of its links draws what the link names, and the browser's way back
// goes back. j and k (or the arrows) are the links to the next and the one before.
let returning = "";
const draw = () => trigger("look", { query: location.search });
const go = (href, back) => {
  returning = back;
  history.pushState(null, "", href);
  draw();
};
element.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-go]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(link.href, link.rel);
});
element.addEventListener("change", (event) => {
  const name = event.target.dataset.goTo;
  if (!name) return;
  const address = new URL(location.href);
  address.searchParams.set(name, event.target.value);
  address.searchParams.delete("page");
  go(address.href, name);
});
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
  const again = returning && `a[rel="${returning}"], select[data-go-to="${returning}"]`;
  const wanted = (again && element.querySelector(again)) || element.querySelector("[data-heading]");
  returning = "";
  scrollTo({ top: 0 });
  wanted?.focus({ preventScroll: true });
});
