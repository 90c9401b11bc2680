// The table of columns: what is chosen and typed there goes to the server as one list in the order of the rows.
const told = () => [...element.querySelectorAll("[data-column]")].map((row) => {
  const one = { name: row.dataset.column };
  for (const field of row.querySelectorAll("[name]")) one[field.name] = field.value;
  return one;
});
// Gradio patches what stands there node by node: a list would keep what was chosen in it for another table.
watch("value", () => (element.innerHTML = props.value));
element.addEventListener("change", (event) => {
  const row = event.target.closest("[data-column]");
  if (row && event.target.name === "use") row.dataset.use = event.target.value;
  trigger("pick", { columns: told() });
});
element.addEventListener("click", (event) => {
  const button = event.target.closest("[data-move]");
  const row = button?.closest("[data-column]");
  if (!row) return;
  const other = button.dataset.move === "up" ? row.previousElementSibling : row.nextElementSibling;
  if (!other) return;
  if (button.dataset.move === "up") other.before(row);
  else other.after(row);
  button.focus();
  trigger("pick", { columns: told() });
});
