// What keys mean to spans. Letters are taken by their place on the keyboard as well: a Russian layout has no Z.

const ARROWS = {
  ArrowLeft: [false, "character"],
  ArrowRight: [true, "character"],
  ArrowUp: [false, "line"],
  ArrowDown: [true, "line"],
  Home: [false, "lineboundary"],
  End: [true, "lineboundary"],
};

// "undo", "redo", "all", "remove", "drop" or null.
export function commandOf({ key, code, ctrlKey, metaKey, altKey, shiftKey }) {
  if ((ctrlKey || metaKey) && !altKey) {
    if (code === "KeyZ") return shiftKey ? "redo" : "undo";
    return { KeyY: "redo", KeyA: "all" }[code] ?? null;
  }
  if (altKey) return null;
  return { Delete: "remove", Backspace: "remove", Escape: "drop" }[key] ?? null;
}

// Where an arrow leads: { extend, forward, by, end }; `end` is the end of a span that it moves, null where it moves none.
// Ctrl (Alt on a Mac, which is for begins here) goes by words, at Home and End to the ends of the text.
export function arrowOf({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  if (!(key in ARROWS)) return null;
  const [forward, plain] = ARROWS[key];
  const far = ctrlKey || metaKey;
  const by = !far ? plain : { character: "word", lineboundary: "text" }[plain] ?? plain;
  const sideways = plain === "character";
  return { extend: shiftKey, forward, by, end: !sideways ? null : altKey ? "begin" : shiftKey ? "end" : null };
}

// The name of the element whose key this is, null where it is nobody's.
export function elementOf({ key, code }, buttons) {
  const typed = key.toLowerCase();
  const byPlace = (wanted) => /^[a-z]$/u.test(wanted) && code === `Key${wanted.toUpperCase()}`;
  const keys = buttons.map((button) => button.dataset.key.toLowerCase());
  const exact = keys.indexOf(typed);
  const found = exact >= 0 ? exact : keys.findIndex(byPlace);
  return found < 0 ? null : buttons[found].dataset.element;
}
