// Gradio leaves the list of a dropdown open where Tab moves on from it, over what comes next; Escape closes it.

document.addEventListener("keydown", (event) => {
  const input = event.target;
  if (event.key !== "Tab" || !(input instanceof HTMLInputElement) || input.getAttribute("role") !== "combobox") return;
  setTimeout(() => {
    if (document.activeElement !== input)
      input.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  }, 50);
});
