// The table of spellings: each value of the file with the label that is typed beside it goes to the server as one list.
// Gradio patches the cells: what was typed before stays in them but for this; what is being typed is left alone.
watch("value", () => element.querySelectorAll("[data-value] input").forEach((field) => {
  if (field !== document.activeElement) field.value = field.getAttribute("value");
}));
element.addEventListener("change", () => trigger("spell", {
  rows: [...element.querySelectorAll("[data-value]")].map((row) => [row.dataset.value, row.querySelector("input").value]),
}));
