// The name of a worker is a button; pressing it puts the worker into the form below the table. The heads of the columns
// are buttons too; they sort, and the table stays sorted when it is drawn anew.
const sorted = { column: null, down: true };

element.addEventListener("click", (event) => {
  const name = event.target.closest("[data-worker]")?.dataset.worker;
  if (name !== undefined) return trigger('pick', { worker: name });
  const paid = event.target.closest("[data-paid]")?.dataset;
  if (paid) return confirm(paid.ask) && trigger('paid', { total: Number(paid.paid) });
  const head = event.target.closest("[data-sort]");
  if (!head) return;
  const column = Number(head.dataset.sort);
  Object.assign(sorted, { column, down: sorted.column === column ? !sorted.down : head.dataset.first !== "up" });
  sort();
});
watch("value", sort);

function sort() {
  const body = element.querySelector("tbody");
  if (!body || sorted.column === null) return;
  const worth = (row) => row.children[sorted.column].dataset.value ?? row.children[sorted.column].textContent.trim();
  const compared = (a, b) => (isNaN(a) || isNaN(b) || a === "" || b === "" ? String(a).localeCompare(String(b)) : a - b);
  const rows = [...body.rows].sort((a, b) => compared(worth(a), worth(b)) * (sorted.down ? -1 : 1));
  body.append(...rows);
  for (const head of element.querySelectorAll("thead th")) {
    const mine = head.cellIndex === sorted.column;
    if (mine) head.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
    else head.removeAttribute("aria-sort");
  }
}
