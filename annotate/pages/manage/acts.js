// The name of a study is a button; pressing it opens the study.
element.addEventListener("click", (event) => {
  const name = event.target.closest("[data-study]")?.dataset.study;
  if (name !== undefined) trigger('pick', { study: name });
});

// The list is drawn anew while it is looked at: the focus stays with the study it was on.
let held;
element.addEventListener("focusin", (event) => (held = event.target.closest("[data-study]")?.dataset.study));
element.addEventListener("focusout", (event) => event.relatedTarget && (held = undefined));
watch("value", () => {
  if (held === undefined || document.activeElement !== document.body) return;
  element.querySelector(`[data-study="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
});

// What was searched for stands in the address, so that a reload or a saved link finds the same.
watch("value", () => {
  const address = new URL(location.href);
  const words = element.querySelector("[data-find]")?.dataset.find;
  if (words) address.searchParams.set("find", words);
  else address.searchParams.delete("find");
  history.replaceState(null, "", address);
});
