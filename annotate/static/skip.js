// What the worker says when an item is given back: the act for it, or null while something is missing.

import { invalid } from "./faults.js";

// What is missing is said on the panel, and the focus goes there. `pressed` is the button that sends it: one stands for an
// answer, the other goes along with one.
export function said(form, pressed) {
  const chosen = form.querySelector("[name=reason]:checked")?.value;
  const text = form.querySelector("[name=text]");
  const missing = !chosen ? form.querySelector("[name=reason]") : chosen === "other" && !text.value.trim() ? text : null;
  form.querySelector("[data-fault]").textContent = missing ? form.dataset.missing : "";
  if (missing) return invalid(missing), null;
  if (chosen === "skip") return { kind: "skip", value: null };
  return { kind: "report", value: { reason: chosen, text: text.value.trim(), instead: !pressed?.matches("[data-along]") } };
}
