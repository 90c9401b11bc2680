// The filters, the pages and the items of the table are buttons; each says what it asks for. What is shown stands in the
// address, so that a reload or a saved link comes back to it.
const table = () => element.querySelector("[data-table]")?.dataset;
const look = (changed) => {
  const { show, find, sort } = table();
  trigger('look', { show, find, sort, page: "0", ...changed });
};

element.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { show, page, item, settle, uphold, of } = button.dataset;
  if (item !== undefined) trigger('open', { item });
  else if (uphold) trigger('uphold', { uphold, of });
  else if (settle !== undefined) {
    const form = button.closest("form").elements;
    const items = [...element.querySelectorAll("[data-chosen]:checked")].map((box) => box.value);
    trigger('settle', { items, value: form.answer.value, note: form.note.value });
  } else if (page !== undefined) look({ page });
  else if (show !== undefined) look({ show });
});
element.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.target.matches("[role=search]")) look({ find: event.target.elements.find.value });
});
element.addEventListener("change", (event) => {
  if (event.target.name === "sort") look({ sort: event.target.value });
  if (event.target.name === "every")
    for (const box of element.querySelectorAll("[data-chosen]")) box.checked = event.target.checked;
});
watch("value", () => {
  if (!table()) return;
  for (const box of element.querySelectorAll("[type=checkbox]")) box.checked = false;
  const address = new URL(location.href);
  for (const name of ["show", "find", "sort", "page"]) {
    const value = table()[name];
    if (value && value !== "all" && value !== "0") address.searchParams.set(name, value);
    else address.searchParams.delete(name);
  }
  history.replaceState(null, "", address);
});
