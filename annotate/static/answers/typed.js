// Answers that are typed into one field. White space alone is no answer. A limit is counted while one types.

const NEAR = 0.9; // the share of a limit from which on it is shown and said how much is left
const PAUSE = 1_000; // ... and not before the fingers rest

const field = (ask) => ask.querySelector(".typed");

// How far a text is from its limit, in characters as the server counts them: code points, without white space around.
export function counted(text, limit) {
  const length = [...text.trim()].length;
  return { length, over: Math.max(0, length - limit), near: length >= limit * NEAR };
}

export const typed = {
  start(ask) {
    if (ask.querySelector("[data-limit]")) startCounting(ask);
  },
  read: (ask) => (field(ask).value.trim() ? field(ask).value : null),
  write(ask, value) {
    field(ask).value = value;
    counts.get(ask)?.();
  },
  clear(ask) {
    field(ask).value = "";
    counts.get(ask)?.();
  },
  // A letter, a digit or a sign outside of the field goes on in it.
  press(ask, event) {
    if (event.key.length === 1 && event.key !== " " && !field(ask).matches(":disabled")) {
      field(ask).focus();
      const end = field(ask).value.length;
      field(ask).setSelectionRange(end, end);
    }
    return false;
  },
};

const counts = new WeakMap();

function startCounting(ask) {
  const counter = ask.querySelector("[data-limit]");
  const [count, said] = [counter.querySelector("[data-count]"), counter.querySelector("[data-said]")];
  const limit = Number(counter.dataset.limit);
  let resting = 0;

  function show() {
    const { length, over, near } = counted(field(ask).value, limit);
    count.textContent = `${length} / ${limit}`;
    counter.classList.toggle("is-near", near);
    counter.classList.toggle("is-over", over > 0);
    field(ask).setAttribute("aria-invalid", String(over > 0));
    clearTimeout(resting);
    const words = over ? counter.dataset.over.replace("{n}", over) : counter.dataset.left.replace("{n}", limit - length);
    resting = setTimeout(() => (said.textContent = near ? words : ""), PAUSE);
  }

  field(ask).addEventListener("input", show);
  counts.set(ask, show);
  show();
}
