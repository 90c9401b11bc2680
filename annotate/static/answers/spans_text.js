// Arithmetic on a text: offsets are code points, as on the server; the browser counts UTF-16 units. People move by whole
// characters as they see them (grapheme clusters) or by words, but an offset may be any code point.

const BLANK = /[\s\u200b]/u; // a zero-width space is nothing anybody could aim at

// The text with everything that is asked of it again and again. unitOf and pointOf lead from one count to the other; a
// unit inside a pair belongs to the code point that the pair is.
export function measured(text) {
  const units = [0];
  for (const sign of text) units.push(units.at(-1) + sign.length);
  const length = units.length - 1;
  const pointOf = (unit) => lastAtMost(units, unit);
  const segments = (granularity) =>
    typeof Intl.Segmenter === "function" ? [...new Intl.Segmenter("ru", { granularity }).segment(text)] : null;
  const lazy = {};
  return {
    text,
    length,
    unitOf: (point) => units[Math.max(0, Math.min(length, point))],
    pointOf,
    slice: (begin, end) => text.slice(units[begin], units[end]),
    get characters() {
      const found = () => segments("grapheme")?.map((one) => pointOf(one.index)).concat(length);
      return (lazy.characters ??= found() ?? units.map((_, point) => point));
    },
    get words() {
      const found = () => segments("word")?.filter((one) => one.isWordLike);
      const plain = () => [...text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)].map((one) => ({ index: one.index, segment: one[0] }));
      return (lazy.words ??= (found() ?? plain()).map(({ index, segment }) => [
        pointOf(index),
        pointOf(index + segment.length),
      ]));
    },
  };
}

// The place of the last of the sorted numbers that is at most `most`.
function lastAtMost(numbers, most) {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numbers[middle] <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Where one step from `at` leads: over a character; by word to the end of this or the next word, back to its beginning.
export function stepped(measure, at, forward, byWord) {
  if (forward) {
    const ends = byWord ? measure.words.map(([, end]) => end) : measure.characters;
    return ends.find((end) => end > at) ?? measure.length;
  }
  const begins = byWord ? measure.words.map(([begin]) => begin) : measure.characters;
  return begins.findLast((begin) => begin < at) ?? 0;
}

const blankAt = (measure, point) => BLANK.test(measure.slice(point, point + 1));

// A selection without the white space at its ends; one that is nothing but white space stays.
export function trimmed(measure, begin, end) {
  let [first, last] = [begin, end];
  while (first < last && blankAt(measure, first)) first += 1;
  while (first < last && blankAt(measure, last - 1)) last -= 1;
  return first < last ? [first, last] : [begin, end];
}

// A place before white space is the place before the word behind it; at the end of the text it stays.
export function slid(measure, at) {
  let place = at;
  while (place < measure.length && blankAt(measure, place)) place += 1;
  return place < measure.length ? place : at;
}

// The word at a place, the nearest one where none is there; null in a text without words.
export function wordAt(measure, at) {
  const away = ([begin, end]) => Math.max(begin - at, at - end, 0);
  return measure.words.reduce((best, word) => (best && away(best) <= away(word) - (word[0] === at) ? best : word), null);
}

// A place inside a word moves to the nearer end of it.
export function outside(measure, at) {
  const inner = measure.words.find(([begin, end]) => begin < at && at < end);
  return !inner ? at : at - inner[0] <= inner[1] - at ? inner[0] : inner[1];
}

// What stands around a place, with a bar at it.
export function around(measure, at, width = 12) {
  const [begin, end] = [Math.max(0, at - width), Math.min(measure.length, at + width)];
  const dots = (cut) => (cut ? "…" : "");
  return `${dots(begin > 0)}${measure.slice(begin, at)}|${measure.slice(at, end)}${dots(end < measure.length)}`;
}

// Words on one line, the middle left out where they are many.
export function short(words, most = 60) {
  const line = [...words.replace(/\s+/gu, " ").trim()];
  const half = most / 2;
  return line.length <= most ? line.join("") : `${line.slice(0, half).join("")}…${line.slice(1 - half).join("")}`;
}
