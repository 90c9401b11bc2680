// What is agreed to: the version that was read, and whether the notice, if there is one, was acknowledged.

import { invalid } from "./faults.js";

const box = (screen) => screen.querySelector("[data-acknowledge]");

export const agreed = (screen) => ({
  version: screen.querySelector("[data-version]").dataset.version,
  notice: box(screen)?.checked ?? false,
});

// Where the notice is still open, the way to go on begins at its box.
export function remind(screen) {
  if (!box(screen) || box(screen).checked) return;
  invalid(box(screen));
}
