// What is kept of a long text, so that a reload or another language brings it back: the place it was left at, what was
// read, what was pinned. Kept in this tab, for the item in hand only; a browser that forbids storage forgets.

const KEY = "etalon:reader";

export function keep(token, name, what) {
  const kept = keptOf(token);
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...kept, token, [`in ${name}`]: { ...kept[`in ${name}`], ...what } }));
  } catch {}
}

export const kept = (token, name) => keptOf(token)[`in ${name}`] ?? {};

function keptOf(token) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY));
    return kept?.token === token ? kept : {};
  } catch {
    return {};
  }
}
