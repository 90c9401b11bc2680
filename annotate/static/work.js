// The worker page: shows the screens the server draws, sends what is chosen, listens to the keys.

import { activeClock } from "./clock.js";
import { Refused, ask, askOnce, remember, remembered } from "./asking.js";
import * as answers from "./answers/index.js";

const SETTLED_AFTER = 400; // the second half of a double click must not act on the screen that the first one brought
const SLOW_AFTER = 300;

let trouble = () => {};

// Asked as soon as the module is here, before Gradio has made the place to show the reply in. An answer that was on its
// way when the page was left goes first.
const first = begin(remembered());
first.catch(() => {}); // `start` looks at it again and says what was wrong

async function begin(kept) {
  try {
    if (kept) return await ask("act", kept, (attempt) => trouble(attempt, true));
  } catch (error) {
    if (error.status !== 422) throw error;
  }
  return ask("state", {}, (attempt) => trouble(attempt, false));
}

export function start(element, texts) {
  const root = element.querySelector("[data-worker]");
  const place = root.querySelector("[data-screen]");
  const note = root.querySelector("[data-note]");
  const status = root.querySelector("[data-status]");
  const clock = activeClock();
  let html = "";
  let busy = false;
  let looking = false;
  let turn = 0;

  const screen = () => place.querySelector(".screen");
  const language = () => screen().lang || (navigator.language.startsWith("ru") ? "ru" : "en");
  const says = (name) => texts[language()][name];
  const asked = () => place.querySelector("fieldset:enabled > [data-answer]");
  const chosen = () => asked() && answers.read(asked());
  const dialog = () => place.querySelector("dialog[open]");
  const tell = (text) => (note.textContent = text);

  function show(reply) {
    if (reply.html === html) return;
    html = reply.html;
    const { token: before, stage } = screen().dataset;
    const answer = chosen();
    place.innerHTML = html;
    place.removeAttribute("aria-busy");
    const now = screen();
    now.querySelector("[data-slot]").append(note);
    document.documentElement.lang = now.lang;
    document.title = now.dataset.title;
    const ready = answers.bring(now).then(() => asked() && answers.start(asked(), { changed: () => tell("") }));
    setTimeout(() => ready.then(() => (now.dataset.settled = "")), SETTLED_AFTER);
    if (before !== now.dataset.token || before === "" || now.dataset.stage !== stage) return arrive(now);
    // The same item in another language: what was chosen stays chosen.
    if (answer !== null) ready.then(() => answers.write(asked(), answer));
    now.querySelector("[data-act=language]").focus({ preventScroll: true });
  }

  function arrive(now) {
    clock.restart();
    const target = [...now.querySelectorAll("[data-focus]")].pop();
    if (target.dataset.focus === "stay") target.scrollIntoView({ block: "nearest" });
    else scrollTo(0, 0);
    target.focus({ preventScroll: true });
  }

  function clear() {
    if (asked()) answers.clear(asked());
    tell("");
  }

  // An answer stays on the page, locked, and is tried again until it has arrived.
  trouble = (attempt, answering) => {
    tell(says(answering ? "offline" : "waiting"));
    if (answering && attempt === 0) place.querySelector("fieldset")?.setAttribute("disabled", "");
  };

  async function act(kind, value) {
    if (busy || (kind !== "language" && chosen() === null && !("settled" in screen().dataset))) return;
    busy = true;
    turn += 1;
    const answering = kind === "answer";
    const body = { kind, token: screen().dataset.token, value: value ?? null, seconds: clock.seconds() };
    const [button, fieldset] = [place.querySelector(".main"), asked()?.parentElement];
    const slow = setTimeout(() => {
      button?.setAttribute("aria-busy", "true");
      status.textContent = says("sending");
    }, SLOW_AFTER);
    if (answering) remember(body);
    tell("");
    status.textContent = "";
    try {
      show(await ask("act", body, (attempt) => trouble(attempt, answering)));
      tell("");
      if (answering) status.textContent = says("saved");
    } catch (error) {
      fieldset?.removeAttribute("disabled");
      await refused(error);
    } finally {
      clearTimeout(slow);
      button?.removeAttribute("aria-busy");
      remember(null);
      busy = false;
    }
  }

  // What the server says is told; a screen it sends along is shown, and a stale one is replaced.
  async function refused(error) {
    if (!(error instanceof Refused)) throw error;
    if (error.reply.html) return show(error.reply);
    try {
      show(await askOnce("state"));
    } catch {}
    tell(error.message || says("broken"));
  }

  // Another tab may have gone on meanwhile. An act that began in between knows better than this reply.
  async function refresh() {
    if (busy || looking || document.visibilityState !== "visible" || html === "") return;
    looking = true;
    const mine = turn;
    const { token } = screen().dataset;
    try {
      const reply = await askOnce("state");
      if (mine !== turn) return;
      show(reply);
      if (token && token !== screen().dataset.token) tell(says("elsewhere"));
    } catch (error) {
      if (error.reply?.html && mine === turn) show(error.reply);
    } finally {
      looking = false;
    }
  }

  root.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (event.target === dialog() || button?.matches("[data-close]")) return dialog().close();
    if (!button) return;
    if (button.dataset.open) place.querySelector(`#${button.dataset.open}`).showModal();
    const { act: kind, value } = button.dataset;
    if (kind) act(kind, kind === "answer" ? chosen() : value);
  });
  root.addEventListener("change", () => tell(""));
  root.addEventListener("submit", (event) => event.preventDefault());

  document.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    if (target.matches?.("textarea, select, [contenteditable], input:not([type=radio], [type=checkbox])")) return;
    if (key === "?" || key === "F1") guide(event);
    else if (dialog()) return;
    else if (key === "Enter") enter(event);
    else if (event.repeat) return;
    else if (key === "Escape") clear();
    else if (key.length === 1) pick(event);
  });

  function guide(event) {
    const panel = place.querySelector("#guide");
    if (!panel || event.repeat) return;
    event.preventDefault();
    panel.open ? panel.close() : panel.showModal();
  }

  // A button, a link or a heading that opens has an Enter of its own.
  function enter(event) {
    if (event.target.closest?.("button, a, summary")) return;
    event.preventDefault();
    if (!event.repeat) place.querySelector(".main[data-enter]")?.click();
  }

  function pick(event) {
    if (asked() && answers.press(asked(), event)) event.preventDefault();
  }

  addEventListener("focus", refresh);
  document.addEventListener("visibilitychange", refresh);
  addEventListener("pageshow", (event) => event.persisted && refresh());

  first.then((reply) => (remember(null), show(reply)), refused);
}
