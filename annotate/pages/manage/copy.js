// Copies the link that stands before the button, and says so.
element.addEventListener("click", async (event) => {
  if (event.target.id === "invitation") event.target.select();
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const field = element.querySelector("input");
  field.select();
  // The clipboard of the newer kind is there on https and on this computer only.
  await (navigator.clipboard?.writeText(field.value) ?? document.execCommand("copy"));
  element.querySelector("[role=status]").textContent = "Copied.";
});
