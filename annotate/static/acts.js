// Acts: one at a time, each sent until it has arrived, an answer kept meanwhile. What the server says is told.

import { Refused, ask, askOnce, tryNow } from "./server_requests.js";
import { draft, underway } from "./tab_storage.js";

const SLOW_AFTER = 300;

// The first screen. Answers that were on their way when the page was left go first.
export async function first(trouble) {
  let left = "";
  for (const body of underway.all()) {
    try {
      ({ left = left } = await ask("act", body, (attempt, unable) => trouble(attempt, true, unable)));
    } catch {} // it was refused: the state below says where things stand
    underway.drop(body.token);
  }
  return { ...(await ask("state", {}, (attempt) => trouble(attempt, false))), left };
}

// `stage` shows screens, `teller` tells, `clock` measures, `watched` tells how, `keeping` keeps.
export function sender({ stage, teller, clock, watched, keeping, says }) {
  let busy = false;
  let looking = false;
  let turn = 0;

  // An answer stays on the page, locked, and is tried again until it has arrived.
  function trouble(attempt, answering, unable) {
    teller.lasting(says(!answering ? "waiting" : unable ? "unsaved" : "offline"));
    if (answering && attempt === 0) stage.asked()?.parentElement.setAttribute("disabled", "");
  }

  function show(reply) {
    if (!reply.html) return;
    stage.show(reply);
    keeping.took(reply.kept);
  }

  // What follows another act (`sure`) was not pressed on the screen that this one brought.
  async function act(kind, value, sure = kind === "language") {
    if (busy) return tryNow();
    if (!sure && stage.given() === null && !("settled" in stage.screen().dataset)) return;
    busy = true;
    turn += 1;
    const answering = kind === "answer" && stage.given() !== null;
    const signs = answering ? watched.signs() : {};
    const body = { kind, token: stage.token(), value: value ?? null, seconds: clock.seconds(), ...signs };
    const fieldset = stage.asked()?.parentElement;
    const idle = working();
    if (answering) underway.add(body);
    try {
      const reply = await ask("act", body, (attempt, unable) => trouble(attempt, answering, unable));
      if (answering) draft.keep(body.token, null);
      teller.tell("");
      show(reply);
      if (reply.note) teller.tell(reply.note);
      if (answering) {
        if (reply.left !== "elsewhere") saved();
        if (reply.left) teller.tell(says(reply.left));
      } else if (kind === "appeal") appealed();
      else if (stage.token() !== body.token) withdrawn(kind);
      else if (kind === "report") teller.status(says("noted"));
    } catch (error) {
      fieldset?.removeAttribute("disabled");
      await refused(error);
      if (kind === "answer" && stage.token() === body.token) stage.fault();
    } finally {
      idle();
      underway.drop(body.token);
      busy = false;
    }
  }

  // Says that it takes a while, but only when it does; the returned function says that it is over.
  function working() {
    const button = stage.screen().querySelector(".main");
    teller.tell("");
    teller.status("");
    const slow = setTimeout(() => {
      button?.setAttribute("aria-busy", "true");
      teller.status(says("sending"));
    }, SLOW_AFTER);
    return () => {
      clearTimeout(slow);
      button?.removeAttribute("aria-busy");
    };
  }

  function saved() {
    teller.status(says("saved"));
    stage.screen().querySelector("[data-tick]")?.setAttribute("data-saved", "");
  }

  function appealed() {
    teller.status(says("appealed"));
    stage.screen().querySelector("[data-appeals]")?.focus({ preventScroll: true });
  }

  function withdrawn(kind) {
    const told = { skip: "skipped", report: "reported", undo: "undone" }[kind];
    if (told) teller.tell(says(told));
  }

  // What the server says is told; a screen it sends along is shown, and a stale one is replaced.
  async function refused(error) {
    if (!(error instanceof Refused)) throw error;
    if (error.reply.html) return show(error.reply);
    try {
      show(await askOnce("state"));
    } catch {}
    teller.tell(error.message || says("broken"));
  }

  // Meanwhile another tab may have gone on, the time for the item may be over, or the work may have been stopped. An act
  // that began in between knows better than this reply. What somebody has begun to answer is not taken out of their hands.
  async function refresh() {
    if (busy || looking || document.visibilityState !== "visible" || !stage.begun()) return;
    looking = true;
    const [mine, token] = [turn, stage.token()];
    try {
      const reply = await askOnce("state", { token });
      if (mine !== turn) return;
      const told = { expired: "overdue", interrupted: "interrupted" }[reply.left];
      if (told && stage.given() !== null) {
        keeping.took(null); // what the reply says is of another item
        return teller.tell(says(told));
      }
      show(reply);
      if (token && reply.left && reply.left !== "interrupted") teller.tell(says(reply.left));
      if (reply.note) teller.tell(reply.note);
    } catch (error) {
      if (error.reply?.html && mine === turn) show(error.reply);
    } finally {
      looking = false;
    }
  }

  // To another task of an exam, or to its end. What was chosen is sent first, unless that would end the exam.
  async function leave(kind, value) {
    const begun = draft.of(stage.token()) !== null && stage.given() !== null;
    const token = stage.token();
    if (begun && !(kind === "go" && stage.screen().querySelector("[data-last]"))) {
      await act("answer", stage.given());
      if (stage.token() === token || (kind === "go" && value === undefined)) return;
    }
    await act(kind, value, begun);
  }

  return { act, leave, refresh, refused, show, trouble };
}
