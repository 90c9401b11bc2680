// The name of a study is a button; pressing it opens the study.
element.addEventListener("click", (event) => {
  const { study, tab } = event.target.closest("[data-study]")?.dataset ?? {};
  if (study !== undefined) trigger('pick', { study, tab });
});

// The list is drawn anew while it is looked at: the focus stays with the study it was on.
let held;
element.addEventListener("focusin", (event) => (held = event.target.closest("tr [data-study]")?.dataset.study));
element.addEventListener("focusout", (event) => event.relatedTarget && (held = undefined));
watch("value", () => {
  if (held === undefined || document.activeElement !== document.body) return;
  element.querySelector(`tr [data-study="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
});

// What was searched for stands in the address, so that a reload or a saved link finds the same.
watch("value", () => {
  const words = element.querySelector("[data-find]")?.dataset.find;
  if (words === undefined) return;
  const address = new URL(location.href);
  if (words) address.searchParams.set("find", words);
  else address.searchParams.delete("find");
  history.replaceState(null, "", address);
});
