// The place a long text was left at, so that a reload or another language brings it back. Kept in this tab, for the
// item in hand only; a browser that forbids storage forgets.

const KEY = "etalon:reader";

export function keepPlace(token, name, offset) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...placesOf(token), token, [`in ${name}`]: offset }));
  } catch {}
}

export const keptPlace = (token, name) => placesOf(token)[`in ${name}`] ?? 0;

function placesOf(token) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY));
    return kept?.token === token ? kept : {};
  } catch {
    return {};
  }
}
