// What the worker says when an item is given back: the act for it, or null while something is missing.

// The browser says what is missing, in our words: its own are in its own language.
// `pressed` is the button that sends it: one stands for an answer, the other goes along with one.
export function said(form, pressed) {
  const chosen = form.querySelector("[name=reason]:checked")?.value;
  const text = form.querySelector("[name=text]");
  text.required = chosen === "other";
  const first = form.querySelector("[name=reason]");
  first.setCustomValidity(chosen ? "" : form.dataset.missing);
  text.setCustomValidity(text.required && !text.value.trim() ? form.dataset.missing : "");
  if (!form.reportValidity()) return null;
  if (chosen === "skip") return { kind: "skip", value: null };
  return { kind: "report", value: { reason: chosen, text: text.value.trim(), instead: !pressed?.matches("[data-along]") } };
}
