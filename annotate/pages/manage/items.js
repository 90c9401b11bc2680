// The filters, the pages and the items of the table are buttons; each says what it asks for.
element.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { show, page, item } = button.dataset;
  if (item !== undefined) trigger('open', { item });
  else if (show !== undefined) trigger('look', { show, page: page ?? "0" });
});
