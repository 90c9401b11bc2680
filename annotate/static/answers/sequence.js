// Numbers in order: a list of numbers for each position. A digit is set and moves on, so "2514" fills four positions.
// Without order the answer is a set of numbers, picked as check boxes are.

import { picks } from "./picks.js";

const lists = (ask) => [...ask.querySelectorAll("select")];
const DIGIT = /^[1-9]$/;

// Where the next digit goes: the position with the focus, else the first empty one; -1 where all are full.
export const nextPlace = (values, focused) => (focused >= 0 ? focused : values.indexOf(""));

const ordered = {
  start(ask) {
    if (!ask.hasAttribute("tabindex")) ask.tabIndex = -1;
    for (const list of lists(ask)) list.addEventListener("keydown", (event) => inList(ask, list, event));
  },
  read(ask) {
    const values = lists(ask).map((list) => list.value);
    return values.some(Boolean) ? values : null;
  },
  write(ask, value) {
    lists(ask).forEach((list, place) => (list.value = value[place] ?? ""));
  },
  clear(ask) {
    for (const list of lists(ask)) list.value = "";
  },
  press(ask, event) {
    if (event.key === "Backspace") return back(ask, lists(ask).length);
    const place = nextPlace(lists(ask).map((list) => list.value), -1);
    const list = lists(ask)[place];
    if (!DIGIT.test(event.key) || !list || list.matches(":disabled")) return false;
    if (short(list)) return put(ask, place, event.key);
    list.focus(); // where the digit that is still to arrive begins a search
    return false;
  },
};

function inList(ask, list, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const place = lists(ask).indexOf(list);
  const used =
    (DIGIT.test(event.key) && short(list) && put(ask, place, event.key)) ||
    (event.key === "Backspace" && (list.value ? empty(list) : back(ask, place))) ||
    (event.key === "Enter" && list.value !== "" && onwards(ask, place));
  if (used) event.preventDefault();
}

// Where numbers have two digits, the browser's own search in a list finds them.
const short = (list) => list.options.length <= 10;

function put(ask, place, digit) {
  const list = lists(ask)[place];
  if (!list || ![...list.options].some((one) => one.value === digit)) return false;
  list.value = digit;
  changed(list);
  return onwards(ask, place);
}

// To the next position; behind the last one to the answer as a whole, where Enter sends it.
function onwards(ask, place) {
  (lists(ask)[place + 1] ?? ask).focus();
  return true;
}

function back(ask, place) {
  const list = lists(ask)[place - 1];
  if (!list) return false;
  list.focus();
  return empty(list);
}

function empty(list) {
  list.value = "";
  changed(list);
  return true;
}

const changed = (list) => list.dispatchEvent(new Event("change", { bubbles: true }));
const kind = (ask) => (lists(ask).length ? ordered : picks);

export default {
  start: (ask, say) => kind(ask).start(ask, say),
  read: (ask) => kind(ask).read(ask),
  write: (ask, value) => kind(ask).write(ask, value),
  clear: (ask) => kind(ask).clear(ask),
  press: (ask, event) => kind(ask).press(ask, event),
};
