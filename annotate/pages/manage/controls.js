// So many controls as are proposed are drawn with one press.
element.addEventListener("click", (event) => {
  const button = event.target.closest("[data-controls]");
  if (button) trigger("draw", { controls: Number(button.dataset.controls) });
});
