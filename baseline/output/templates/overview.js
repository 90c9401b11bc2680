// What is chosen of the overview stays chosen when more studies come in: the table is drawn anew then.
const chosen = { find: "", family: "", older: false, view: "numbers", hidden: new Set(), sort: null, down: true };
const all = (selector) => [...element.querySelectorAll(selector)];

const fits = (row) =>
  (chosen.older || !("old" in row.dataset)) &&
  (!chosen.family || row.dataset.family === chosen.family) &&
  chosen.find.toLowerCase().split(/\s+/).every((word) => row.dataset.words.includes(word));

const value = (row) => {
  const cell = row.cells[chosen.sort + 1];
  return cell.dataset.value === "" ? null : Number(cell.dataset.value);
};

const before = (one, other) => {
  const place = Number(one.dataset.place) - Number(other.dataset.place);
  if (chosen.sort === null) return place;
  const turn = chosen.down ? -1 : 1;
  if (chosen.sort === -1) return -turn * one.cells[0].textContent.trim().localeCompare(other.cells[0].textContent.trim());
  const [a, b] = [value(one), value(other)];
  if (a === null || b === null) return (a === null) - (b === null) || place;
  return turn * (a - b) || place;
};

const apply = () => {
  const table = element.querySelector("table");
  if (!table) return;
  const rows = all("tbody tr").sort(before);
  rows.forEach((row) => (row.hidden = !fits(row)));
  table.tBodies[0].append(...rows);
  for (const row of table.rows)
    [...row.cells].forEach((cell, n) => (cell.hidden = chosen.hidden.has(n - 1)));
  const way = chosen.down === chosen.sort > -1 ? "descending" : "ascending";
  all("thead th").forEach((head, n) => head.setAttribute("aria-sort", n - 1 === chosen.sort ? way : "none"));
  table.classList.toggle("map", chosen.view === "map");
  all("[data-view]").forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.view === chosen.view)));
  element.querySelector("[data-nothing]").hidden = rows.some((row) => !row.hidden);
};

const restore = () => {
  const [find, family, older] = ["[data-find]", "[data-family]", "[data-older]"].map((s) => element.querySelector(s));
  if (find) find.value = chosen.find;
  if (family) family.value = chosen.family;
  if (older) older.checked = chosen.older;
  all("[data-column]").forEach((box) => (box.checked = !chosen.hidden.has(Number(box.dataset.column))));
  apply();
};

element.addEventListener("input", ({ target }) => {
  if ("find" in target.dataset) chosen.find = target.value;
  else if ("family" in target.dataset) chosen.family = target.value;
  else if ("older" in target.dataset) chosen.older = target.checked;
  else if ("column" in target.dataset)
    chosen.hidden[target.checked ? "delete" : "add"](Number(target.dataset.column));
  else return;
  apply();
});
element.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (!button) return;
  if (button.dataset.view) chosen.view = button.dataset.view;
  else if (button.dataset.sort) {
    const column = Number(button.dataset.sort);
    if (chosen.sort !== column) [chosen.sort, chosen.down] = [column, true];
    else if (chosen.down) chosen.down = false;
    else chosen.sort = null;
  } else return;
  apply();
});
element.addEventListener("keydown", (event) => {
  const columns = event.target.closest("details.columns");
  if (event.key !== "Escape" || !columns?.open) return;
  columns.open = false;
  columns.querySelector("summary").focus();
});
watch("value", () => requestAnimationFrame(restore));
