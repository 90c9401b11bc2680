// Where Tab leaves a dropdown, Gradio lets its list stand open over what comes next; Enter takes the focus from it to
// nowhere. Escape closes a list, and an option chosen by Enter leaves the focus where it was.

const SETTLED = 50; // milliseconds: by then Gradio has done with the key

function dropdown(target) {
  return target instanceof HTMLInputElement && target.getAttribute("role") === "combobox";
}

function close(input) {
  input.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
}

function keep(input) {
  input.focus();
  close(input); // the focus has opened the list
}

document.addEventListener("keydown", ({ key, target }) => {
  if (!dropdown(target)) return;
  if (key === "Tab") setTimeout(() => document.activeElement !== target && close(target), SETTLED);
  if (key === "Enter") setTimeout(() => document.activeElement === document.body && keep(target), SETTLED);
});

// A list opens when its input comes into focus, so a press on one that has it already must give it anew.
document.addEventListener("mousedown", ({ target }) => {
  if (!dropdown(target) || target !== document.activeElement) return;
  if (target.getAttribute("aria-expanded") === "false") target.blur();
});
