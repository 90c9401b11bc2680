// The worker page: shows the screens the server draws, sends what is chosen, listens to the keys.

import * as answers from "./answers/index.js";
import { attention } from "./attention.js";
import { activeClock } from "./clock.js";
import { agreed, remind } from "./consent.js";
import { copy } from "./clipboard.js";
import { exam as examOf } from "./exam.js";
import { dialogs as dialogsOf } from "./dialogs.js";
import { askOnce } from "./server_requests.js";
import { makeWay } from "./keyboard.js";
import { invalid } from "./faults.js";
import { keeper } from "./lease.js";
import { listen } from "./keys.js";
import { first, sender } from "./acts.js";
import { said } from "./skip.js";
import { stage as stageOf } from "./swap.js";
import { teller as tellerOf } from "./messages.js";

const LOOKS_AGAIN = 20_000; // where a screen waits for its time to come

function start(root, texts) {
  const place = root.querySelector("[data-screen]");
  const clock = activeClock();
  const asked = navigator.language.toLowerCase(); // counts until there is a screen
  const language = () =>
    [stage.screen().lang, asked, asked.split("-")[0]].find((code) => code in texts) ?? Object.keys(texts)[0];
  const says = (name) => texts[language()][name];
  const teller = tellerOf(root, says, language);
  const dialogs = dialogsOf(root, async () => (await askOnce("sheet")).html, () => teller.tell(says("waiting")), () => exam.paint());
  const arrived = () => (clock.restart(), watched.restart());
  const stage = stageOf(place, teller.notice, { changed: () => teller.tell(""), arrived });
  const watched = attention(stage.asked);
  const keeping = keeper({ stage, teller, says, refresh: () => sending.refresh() });
  const took = (kept) => (exam.took(kept), keeping.took(kept?.ends ? null : kept));
  const sending = sender({ stage, teller, clock, watched, keeping: { took }, says });
  const over = () => (stage.given() === null ? sending.refresh() : sending.act("answer", stage.given()));
  const exam = examOf(root, { says, tell: teller.tell, language, over });

  root.querySelector("[data-late]").remove(); // it says that this script has not come
  makeWay(root);

  function clear() {
    const taken = stage.clear();
    if (taken !== null && !answers.light(stage.asked(), taken)) teller.tell(says("cleared"));
  }

  function skip(form, pressed) {
    const act = said(form, pressed);
    if (!act) return;
    dialogs.close();
    sending.act(act.kind, act.value);
  }

  // Where nothing is written the server says so, and the way to go on begins at the box.
  async function object(box) {
    await sending.act("appeal", { text: box.value });
    if (!box.value.trim()) invalid(box);
  }

  root.addEventListener("click", async (event) => {
    if (dialogs.clicked(event.target)) return;
    if (event.target.closest("[data-fold]")) return stage.fold();
    const button = event.target.closest("[data-copy]");
    if (button) return teller.status(says((await copy(button)) ? "copied" : "not_copied"));
    if (event.target.closest("[data-clock]")) return exam.hide();
    const marked = event.target.closest("[data-mark]");
    if (marked) return exam.mark(marked.dataset.mark);
    const { act: kind, value } = event.target.closest("button")?.dataset ?? {};
    if (kind === "consent") {
      await sending.act(kind, agreed(stage.screen()));
      remind(stage.screen());
    } else if (kind === "go" || kind === "hand_in") {
      dialogs.close();
      sending.leave(kind, value);
    } else if (kind) {
      dialogs.close(); // an answer to be changed is chosen on the sheet
      sending.act(kind, kind === "answer" ? stage.given() : value);
    }
  });
  for (const sign of ["change", "input"]) {
    root.addEventListener(sign, (event) => stage.asked()?.contains(event.target) && stage.touched());
  }
  root.addEventListener("submit", (event) => {
    event.preventDefault();
    if (event.target.matches("[data-skip]")) skip(event.target, event.submitter);
    if (event.target.matches("[data-appeal]")) object(event.target.elements.text);
  });

  listen({
    inDialog: () => dialogs.open() !== null,
    guide: dialogs.toggle,
    send: () => place.querySelector(".main[data-enter]")?.click(),
    clear,
    leave: stage.leave,
    undo: () => place.querySelector("[data-act=undo]")?.click(),
    skip: () => dialogs.show("skip"),
    press: (event) => stage.asked() !== null && answers.press(stage.asked(), event),
    enter: () => stage.asked() !== null && answers.enter(stage.asked()),
  });

  addEventListener("focus", sending.refresh);
  setInterval(() => {
    const again = place.querySelector("[data-again]");
    if (again) again.click();
    else if ("waits" in (stage.screen()?.dataset ?? {})) sending.refresh();
  }, LOOKS_AGAIN);
  document.addEventListener("visibilitychange", sending.refresh);
  addEventListener("pageshow", (event) => event.persisted && sending.refresh());

  first(sending.trouble).then(
    (reply) => (sending.show(reply), teller.tell(reply.left ? says(reply.left) : (reply.note ?? ""))),
    sending.refused,
  );
}

start(document.querySelector("[data-worker]"), JSON.parse(document.querySelector("[data-says]").textContent));
