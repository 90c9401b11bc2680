// How much of a text was read: a part counts once it has been in sight for as long as it takes to skim it.

const PARTS = 400;
const TICK = 500; // milliseconds
const SKIMMED = 60; // characters a second: nobody reads faster
const LEAST = 1_000; // milliseconds

// `seen` gives the stretch in sight as { from, until }; `before` is what `parts` was, `told` is called when more was read.
export function reading(total, seen, before, told) {
  const parts = [...(before ?? "").padEnd(PARTS, "0").slice(0, PARTS)].map(Number);
  let place = "";
  let since = 0;

  function tick() {
    const { from, until } = seen();
    const now = `${from} ${until}`;
    if (document.visibilityState !== "visible" || now !== place) {
      [place, since] = [now, performance.now()];
      return;
    }
    if (performance.now() - since < Math.max(LEAST, (1000 * (until - from)) / SKIMMED)) return;
    const [first, last] = [Math.floor((from / total) * PARTS), Math.ceil((until / total) * PARTS)];
    const more = parts.slice(first, last).includes(0);
    parts.fill(1, first, last);
    if (more) told();
  }

  return { start: () => setInterval(tick, TICK), share: () => parts.reduce((sum, one) => sum + one, 0) / PARTS, parts: () => parts.join("") };
}
