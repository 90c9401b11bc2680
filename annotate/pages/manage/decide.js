// The item before an expert: the same scripts as on the worker page read the answer, the keys do the same, "[" and "]"
// go to the item before and to the next one.
const from = "/static/annotate";
const modules = Promise.all([
  import(`${from}/answers/index.js`),
  import(`${from}/fields/index.js`),
  import(`${from}/keys.js`),
]);
const shown = () => element.offsetParent !== null && element.querySelector("[data-case]") !== null;
const asked = () => element.querySelector("fieldset:enabled > [data-answer]");
const typing = (target) => target.closest?.("input:not([type=radio], [type=checkbox]), textarea, select");

function decide(answers) {
  const ask = asked();
  if (!ask) return;
  const note = element.querySelector("[data-note]").value;
  trigger('decide', { item: element.querySelector("[data-case]").dataset.case, value: answers.read(ask), note });
}

// What was decided stays as it is until something is changed: a key that bounces decides nothing a second time.
let decided = "";
const entered = (answers) => JSON.stringify([answers.read(asked()), element.querySelector("[data-note]").value]);
function decideByKey(answers) {
  if (!asked()) return;
  const open = element.querySelector(".case-body.open") !== null;
  if (open && entered(answers) === decided) return;
  decide(answers);
}

function walk(step) {
  const button = element.querySelector(`[data-step="${step}"]`);
  const place = Number(element.querySelector("[data-case]").dataset.place) + step;
  if (button && !button.disabled) trigger('walk', { place });
}

modules.then(([answers, fields, keys]) => {
  async function begin() {
    const place = element.querySelector("[data-case]");
    if (!place) return;
    const ask = asked();
    fields.bring(place);
    await answers.bring(place);
    if (ask?.isConnected) answers.start(ask, { changed: () => {} });
    if (ask?.isConnected) decided = entered(answers);
    if (shown()) {
      place.querySelector("[data-focus]").focus({ preventScroll: true });
      (element.closest(".people-tabs") ?? element).scrollIntoView({ block: "start" });
    }
    place.dataset.settled = "";
  }

  element.addEventListener("click", (event) => {
    const { step, act } = event.target.closest("button")?.dataset ?? {};
    if (step !== undefined) walk(Number(step));
    else if (act === "decide") decide(answers);
  });
  element.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener(
    "keydown",
    (event) => {
      const step = { BracketLeft: -1, BracketRight: 1 }[event.code];
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.isComposing;
      if (!step || !plain || event.repeat || !shown() || typing(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
      walk(step);
    },
    true,
  );
  const nothing = () => {};
  keys.listen({
    inDialog: () => !shown() || (document.activeElement !== document.body && !element.contains(document.activeElement)),
    guide: nothing,
    undo: nothing,
    skip: nothing,
    send: () => decideByKey(answers),
    clear: () => asked() && answers.clear(asked()),
    leave: () => element.querySelector("[data-focus]")?.focus({ preventScroll: true }),
    press: (event) => asked() !== null && answers.press(asked(), event),
    enter: () => asked() !== null && answers.enter(asked()),
  });
  watch("value", () => {
    // Gradio patches what stands there node by node: a field would keep what was chosen and typed in it for another item.
    element.innerHTML = props.value;
    begin();
  });
  begin();
});
