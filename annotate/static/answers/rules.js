// The rules of a written text, as `data/answers/write.py` checks them on the server; both are tested on the same cases.

const LETTERS = "[\\p{L}\\p{N}_][\\p{L}\\p{N}_\\u0300-\\u036f]*";
const WORD = new RegExp(`${LETTERS}(?:[-'’]${LETTERS})*`, "gu");
const SENTENCE_END = /[.!?…]+[»”")\]]*(?=\s+[«“"([]*[A-ZА-ЯЁ\d]|\s*$)/gu;

export const words = (text) => text.match(WORD)?.length ?? 0;

export function sentences(text) {
  const trimmed = text.trim();
  if (!trimmed) return 0;
  const ends = [...trimmed.matchAll(SENTENCE_END)].map((match) => match.index + match[0].length);
  return ends.length + (ends.at(-1) === trimmed.length ? 0 : 1);
}

export function startsWith(text, start) {
  const rest = text.slice(start.length);
  return text.slice(0, start.length).toLowerCase() === start.toLowerCase() && !/^[\p{L}\p{N}_\u0300-\u036f]/u.test(rest);
}

// What a piece of text says to one rule: whether it is kept, and how far it has come where it counts.
export function judged(rule, value, text) {
  const trimmed = text.trim();
  const count = { words, characters: (one) => [...one].length, sentences }[rule]?.(trimmed);
  if (rule === "starts") return { kept: startsWith(trimmed, value) };
  if (rule === "ends") return { kept: trimmed.endsWith(value) };
  if (rule === "holds") return { kept: trimmed.split(value).length === 2 };
  if (rule === "sentences") return { kept: count === Number(value) };
  return { kept: count <= Number(value), count };
}
