// A field that is missing or wrong: the focus goes to it, and it is called invalid until it is changed. A choice is called
// so as a whole.

const CHOICES = "[type=radio], [type=checkbox], button, [data-text]";

export function invalid(field) {
  if (!field) return;
  field.focus();
  field.scrollIntoView({ block: "nearest" });
  const called = field.matches(CHOICES) ? (field.closest("fieldset") ?? field) : field;
  called.setAttribute("aria-invalid", "true");
  for (const sign of ["input", "change"]) {
    called.addEventListener(sign, () => called.removeAttribute("aria-invalid"), { once: true });
  }
}
