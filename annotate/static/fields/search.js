// Finding words in a long text as people mean them: capital letters or small, е for ё, any white space for a space,
// stress marks and soft hyphens passed over. All offsets are those of the text itself, in UTF-16 units.

// White space that is more than one plain space, й written as two characters, what is not seen or stands over a letter.
const SPECIAL = /и\u0306|[\u00ad\u0300-\u036f\u200b-\u200f\u2060\ufeff]+| \s+|[^\S ]\s*/g;
const standIn = (found) => (found === "и\u0306" ? "й" : /^\s+$/.test(found) && found !== "\ufeff" ? " " : "");

// Folds a text: `places[i]` tells where the folded character i comes from, the last one where the text ends.
export function folded(text) {
  // İ alone would become longer in small letters.
  const low = text.replaceAll("\u0130", "I").toLowerCase().replace(/ё/g, "е").replace(/[‐-―−]/g, "-").replace(/[«»„“”]/g, '"');
  const places = new Uint32Array(low.length + 1);
  let made = "";
  let size = 0;
  let from = 0;
  const keep = (until) => {
    made += low.slice(from, until);
    for (let place = from; place < until; place += 1) places[size++] = place;
  };
  for (const match of low.matchAll(SPECIAL)) {
    keep(match.index);
    const letter = standIn(match[0]);
    if (letter) places[size++] = match.index;
    made += letter;
    from = match.index + match[0].length;
  }
  keep(low.length);
  places[size] = low.length;
  return { text: made, places: places.subarray(0, size + 1) };
}

// Where `query` stands in a folded text: where each hit begins and ends. Hits do not overlap.
export function hits(haystack, query) {
  const needle = folded(query).text.trim();
  const [begins, ends] = [[], []];
  if (!needle) return { begins, ends };
  for (let at = haystack.text.indexOf(needle); at >= 0; at = haystack.text.indexOf(needle, at + needle.length)) {
    begins.push(haystack.places[at]);
    ends.push(haystack.places[at + needle.length]);
  }
  return { begins, ends };
}

// The index of the last of `sorted` that is not above `value`; -1 where all are.
export function lastUpTo(sorted, value) {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

// The index of the first of `sorted` at or behind `value`; the first of all where none is.
export function firstFrom(sorted, value) {
  const index = lastUpTo(sorted, value - 1) + 1;
  return index < sorted.length ? index : 0;
}

// Where hits are marked on a bar of so many rows: each row once.
export function rowsOf(begins, total, rows) {
  return [...new Set(begins.map((begin) => Math.floor((begin / total) * rows)))];
}
