// The table of columns: what is chosen and typed there goes to the server as one list in the order of the rows.
const told = () => [...element.querySelectorAll("[data-column]")].map((row) => {
  const one = { name: row.dataset.column, said: row.dataset.said };
  for (const field of row.querySelectorAll("[name]")) one[field.name] = field.value;
  return one;
});
// Gradio patches what stands there node by node: a list would keep what was chosen in it for another table.
watch("value", () => {
  const at = element.contains(document.activeElement) ? document.activeElement : null;
  const [column, name] = [at?.closest("[data-column]")?.dataset.column, at?.name];
  element.innerHTML = props.value;
  const row = [...element.querySelectorAll("[data-column]")].find((one) => one.dataset.column === column);
  if (name) row?.querySelector(`[name="${name}"]`)?.focus({ preventScroll: true });
});
element.addEventListener("change", (event) => {
  const row = event.target.closest("[data-column]");
  if (row && event.target.name === "use") row.dataset.use = event.target.value;
  // What a person has said stays when the answers change or a corrected file comes.
  if (row) row.dataset.said = [...new Set(row.dataset.said.split(" ")).add(event.target.name)].join(" ").trim();
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
