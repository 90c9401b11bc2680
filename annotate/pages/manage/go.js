// What waits leads to the tab where it is done, or is done at once.
element.addEventListener("click", (event) => {
  const { go, letIn } = event.target.closest("button")?.dataset ?? {};
  if (letIn !== undefined) trigger('admit');
  else if (go !== undefined) trigger('go', { tab: go });
});
