// Finding one of many options: what is typed into the field above them hides all others.

const kept = new WeakMap();

export const finding = (ask) => kept.get(ask);

// Two texts are compared without case, and ё is е.
export const folded = (text) => text.toLowerCase().replaceAll("ё", "е").replace(/\s+/g, " ").trim();

// Which texts hold every word that is looked for, at the beginning of a word; all of them where nothing is.
export function matching(texts, wanted) {
  const words = folded(wanted).split(" ").filter(Boolean);
  return texts.map((text) => {
    const own = ` ${folded(text).replace(/[^\p{L}\p{N}]+/gu, " ")}`;
    return words.every((word) => own.includes(` ${word}`) || folded(text).includes(word));
  });
}

// Brings the field of a list to life, where it has one; `choose` is called with the box of the option found.
export function startFinding(ask, choose) {
  const field = ask.querySelector(".filter");
  if (!field) return;
  const rows = [...ask.querySelectorAll(".option")];
  const told = ask.querySelector("[data-found]");
  const shown = () => rows.filter((row) => !row.hidden);
  const box = (row) => row.querySelector("input");

  function look() {
    const fits = matching(rows.map((row) => row.querySelector(".words").textContent), field.value);
    rows.forEach((row, place) => (row.hidden = !fits[place]));
    const found = shown().length;
    ask.toggleAttribute("data-finding", field.value.trim() !== "");
    shown().forEach((row, place) => row.toggleAttribute("data-first", place === 0 && field.value.trim() !== ""));
    told.textContent = found ? told.dataset.words.replace("{n}", found) : told.dataset.nothing;
  }

  function clear() {
    field.value = "";
    look();
    told.textContent = "";
  }

  function key(event) {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    const [first] = shown();
    if (event.key === "ArrowDown" && first) box(first).focus();
    else if (event.key === "Escape" && field.value) clear();
    else if (event.key === "Enter" && field.value.trim()) {
      if (first) {
        choose(box(first));
        clear();
      }
    } else return;
    event.preventDefault(); // what is left goes to the page: Enter in an empty field sends
  }

  // A letter outside of text fields begins to look: the field has the focus before the letter arrives.
  function press(event) {
    if (!/^\p{L}$/u.test(event.key)) return false;
    field.focus();
    return false;
  }

  field.addEventListener("input", look);
  field.addEventListener("keydown", key);
  // What is typed here is no answer yet.
  for (const name of ["input", "change"]) field.addEventListener(name, (event) => event.stopPropagation());
  kept.set(ask, { press, clear });
}
