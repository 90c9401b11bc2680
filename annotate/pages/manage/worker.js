// Whose page is open stands in the address.
watch("value", () => {
  const address = new URL(location.href);
  const worker = element.querySelector("[data-record]")?.dataset.record;
  if (worker === undefined) address.searchParams.delete("worker");
  else address.searchParams.set("worker", worker);
  history.replaceState(null, "", address);
});
