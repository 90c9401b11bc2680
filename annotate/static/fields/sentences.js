// Sentences with numbers: a number marks its sentence, again takes the mark away. The numbers are one stop for Tab;
// arrows go from one to the next. Marks are for the eye only: they are no part of an answer.

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

// The number that a key leads to, from `place` among `size`; null where the key leads nowhere.
export function goal(key, place, size) {
  if (key === "Home") return 0;
  if (key === "End") return size - 1;
  const there = place + (STEPS[key] ?? NaN);
  return there >= 0 && there < size ? there : null;
}

export default function start(element) {
  const numbers = [...element.querySelectorAll("button[aria-pressed]")];

  function stop(chosen) {
    for (const number of numbers) number.tabIndex = number === chosen ? 0 : -1;
  }

  element.addEventListener("click", ({ target }) => {
    const number = target.closest("button[aria-pressed]");
    if (!number) return;
    number.setAttribute("aria-pressed", number.getAttribute("aria-pressed") === "false");
    stop(number);
  });
  element.addEventListener("keydown", (event) => {
    const place = numbers.indexOf(event.target);
    if (place < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const there = goal(event.key, place, numbers.length);
    if (there === null) return;
    event.preventDefault();
    stop(numbers[there]);
    numbers[there].focus();
  });
}
