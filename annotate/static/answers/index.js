// What is answered on a screen, as a JSON value. A module for each kind of answer, all with the same few functions:
//
//   start(ask, say)    brings richer controls to life (optional); call say.changed() when the answer has changed
//   read(ask)          the answer as the server takes it; null where nothing is given yet
//   write(ask, value)  puts an answer back
//   clear(ask)         takes the answer away
//   press(ask, event)  a key outside of text fields (optional); true when it was of use
//   enter(ask)         Enter is pressed (optional); true when it went to the next question instead of sending
//   fault(ask)         the server has refused the answer: goes to what is missing or wrong (optional)
//
// `ask` is the element with data-answer. Simple kinds are here at once, rich ones come when a screen holds them.

import { picks } from "./picks.js";
import { typed } from "./typed.js";

const KINDS = { choice: picks, choices: picks, pairwise: picks, rating: picks, number: typed, text: typed };
const LATER = {
  form: () => import("./form.js"),
  sequence: () => import("./sequence.js"),
  spans: () => import("./spans.js"),
  write: () => import("./write.js"),
};

// Brings the kinds that stand in `place` here; resolves when all of them can be read.
export async function bring(place) {
  const wanted = new Set([...place.querySelectorAll("[data-answer]")].map((ask) => ask.dataset.answer));
  const missing = [...wanted].filter((kind) => !(kind in KINDS) && kind in LATER);
  await Promise.all(missing.map(async (kind) => (KINDS[kind] = (await LATER[kind]()).default)));
}

export const kindOf = (ask) => KINDS[ask.dataset.answer];
export const start = (ask, say) => kindOf(ask)?.start?.(ask, say);
export const read = (ask) => kindOf(ask)?.read(ask) ?? null;
export const write = (ask, value) => kindOf(ask)?.write(ask, value);
export const clear = (ask) => kindOf(ask)?.clear(ask);
export const press = (ask, event) => kindOf(ask)?.press?.(ask, event) ?? false;
export const fault = (ask) => kindOf(ask)?.fault?.(ask);
export const enter = (ask) => kindOf(ask)?.enter?.(ask) ?? false;
