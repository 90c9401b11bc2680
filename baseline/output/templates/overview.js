// What is sorted, filtered and shown is in the address: Back works, and a link shows the same.
let held = null;
const drawn = () => element.querySelector(".overview");
const tell = () => drawn() && !new URLSearchParams(location.search).has("study") && trigger("look", { query: location.search });
const go = (address) => {
  history.pushState(null, "", address);
  tell();
};
element.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-view]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  held = link.dataset.view;
  go(link.href);
});
element.addEventListener("change", ({ target }) => {
  held = target.dataset.view ?? null;
  if (held) go(target.value);
});
addEventListener("popstate", tell);
watch("value", () =>
  requestAnimationFrame(() => {
    if (held) element.querySelector(`[data-view="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
    held = null;
  }),
);
