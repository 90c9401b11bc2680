// Who reads keeps the item: while something is done on the page, signs of life go to the server, and nothing is sent
// from a page out of sight. Until when the item is kept stands on the page where that matters: near the end.

import { askOnce } from "./server_requests.js";
import { IDLE_AFTER, SIGNS } from "./clock.js";

const PART = 5; // signs of life in the time a lease lasts: one that is lost is made good by the next
const SELDOM = 120_000; // between two of them at most
const NEAR = 600_000; // before the end; earlier it is no news
const AFTER = 1_000; // the end, before the server is asked what became of the item
const SHORT = 180_000; // a lease whose end is told to the second

// `stage` knows the item on the screen, `teller` tells, `refresh` asks the server where things stand.
export function keeper({ stage, teller, says, refresh }) {
  let held = null; // the lease of the item on the screen; times are milliseconds of this computer's clock
  let ended = false; // the page says that it ran out
  let gone = false; // it ran out while nobody was there: the server is asked when somebody is
  let sent = 0;
  let touched = Date.now();
  let ending;
  let beating;

  // Takes what the server says of the item on the screen: nothing where there is none.
  function took(kept) {
    clearTimeout(beating);
    beating = undefined;
    gone = false;
    if (kept && ended) teller.tell(""); // the item is there again
    ended = false;
    sent = Date.now();
    held = kept ? { ...kept, token: stage.token(), lease: kept.lease * 1000, until: sent + kept.seconds * 1000 } : null;
    watch();
  }

  function watch() {
    clearTimeout(ending);
    const left = held ? held.until - Date.now() : 0;
    const near = Math.min((held?.lease ?? 0) / 3, NEAR);
    teller.kept(held && left > 0 && left <= near ? sentence() : "");
    if (!held) return;
    if (left <= 0) return over();
    ending = setTimeout(watch, left > near ? left - near : left + AFTER);
  }

  function sentence() {
    const exact = held.lease < SHORT && { second: "2-digit" };
    const clock = new Intl.DateTimeFormat(stage.screen().lang, { hour: "2-digit", minute: "2-digit", ...exact });
    const until = says(held.whole ? "kept_whole" : "kept").replace("{time}", clock.format(held.until));
    return `${until} ${says(held.seconds < held.most ? "kept_longer" : "kept_last")}`;
  }

  // What was begun stays on the page. A new item is asked for only by somebody who is there to read it.
  function over() {
    const lately = Math.min(held.lease, IDLE_AFTER);
    held = null;
    if (stage.asked() === null) return; // its answer is on the way
    ended = stage.given() !== null;
    if (ended) return teller.tell(says("overdue"));
    if (document.visibilityState === "visible" && Date.now() - touched < lately) return refresh();
    gone = ended = true;
    teller.tell(says("over"));
  }

  function touch() {
    touched = Date.now();
    if (gone) {
      gone = false;
      refresh();
    } else if (held && held.seconds < held.most) {
      beating ??= setTimeout(beat, Math.max(0, sent + Math.min(held.lease / PART, SELDOM) - touched));
    }
  }

  async function beat() {
    beating = undefined;
    if (!held || document.visibilityState !== "visible") return;
    const { token } = held;
    sent = Date.now();
    try {
      const { kept } = await askOnce("alive", { token });
      if (held?.token !== token || stage.token() !== token) return;
      if (kept.seconds > 0) return took(kept);
      took(null);
      refresh();
    } catch {} // without a connection the time runs on, and the next sign is the next attempt
  }

  for (const sign of SIGNS) addEventListener(sign, touch, { passive: true, capture: true });

  return { took };
}
