// The study in sight stands in the address, so that a reload or a saved link comes back to it, and to what is open of it.
watch("value", () => {
  const address = new URL(location.href);
  const name = element.querySelector("[data-name]")?.dataset.name;
  if (name !== address.searchParams.get("study"))
    for (const of of ["tab", "worker", "show", "find", "sort", "page"]) address.searchParams.delete(of);
  if (name === undefined) address.searchParams.delete("study");
  else address.searchParams.set("study", name);
  history.replaceState(null, "", address);
});
