// Texts that are written: several entries of a few pieces each. Every rule shows whether it is kept while one types.

import { judged } from "./rules.js";

const entries = (ask) => [...ask.querySelectorAll(".entry")];
const pieces = (entry) => [...entry.querySelectorAll("[data-piece]")];

// A limit speaks up only when it is near or broken; what a text must have is open until it is there.
function show(piece) {
  for (const line of piece.closest(".piece").querySelectorAll("[data-rule]")) {
    const { kept, count } = judged(line.dataset.rule, line.dataset.value, piece.value);
    const empty = piece.value.trim() === "";
    line.dataset.kept = empty ? "" : kept ? "yes" : "no";
    const told = line.querySelector(".so-far");
    if (told) told.textContent = empty ? "" : `(${count})`;
  }
  piece.style.height = "auto";
  piece.style.height = `${piece.scrollHeight + 2}px`;
}

export default {
  start(ask, say) {
    for (const piece of ask.querySelectorAll("[data-piece]")) {
      show(piece);
      piece.addEventListener("input", () => (show(piece), say.changed()));
    }
  },
  read(ask) {
    const written = entries(ask).map((entry) =>
      Object.fromEntries(pieces(entry).map((piece) => [piece.dataset.piece, piece.value])),
    );
    return written.some((entry) => Object.values(entry).some((text) => text.trim())) ? written : null;
  },
  write(ask, value) {
    entries(ask).forEach((entry, number) => {
      for (const piece of pieces(entry)) {
        piece.value = value[number]?.[piece.dataset.piece] ?? "";
        show(piece);
      }
    });
  },
  fault(ask) {
    const all = [...ask.querySelectorAll("[data-piece]")];
    const wrong = (piece) => piece.value.trim() === "" || piece.closest(".piece").querySelector('[data-kept="no"]');
    all.find(wrong)?.focus();
  },
  // A long text is not thrown away by a key pressed in passing.
  clear() {},
};
