// What opens over the page and closes again: the sheet (instruction, own work, terms, keys) and the panel of a skip.

// `load` brings the sheet as it stands now; what came before is shown meanwhile. `failed` tells that it does not come, `painted` is called when it stands there.
export function dialogs(root, load, failed, painted) {
  const sheet = root.querySelector("#sheet");
  let html = "";
  let section = "";
  const scrolled = {};

  const open = () => root.querySelector("dialog[open]");

  function close() {
    open()?.close();
  }

  function paint() {
    sheet.innerHTML = html;
    painted();
    turn(section);
  }

  function turn(wanted) {
    section = sheet.querySelector(`#${wanted}`) ? wanted : "guide";
    for (const part of sheet.querySelectorAll("section[id]")) part.hidden = part.id !== section;
    for (const button of sheet.querySelectorAll("[data-section]")) {
      button.setAttribute("aria-current", String(button.dataset.section === section));
    }
    sheet.setAttribute("aria-labelledby", `${section}-heading`);
    sheet.scrollTop = scrolled[section] ?? 0;
  }

  async function bring() {
    const before = html;
    try {
      html = await load();
    } catch (error) {
      if (!before) throw error;
    }
    return html !== before;
  }

  async function show(id, wanted) {
    if (open()) return;
    if (id !== sheet.id) return unfold(root.querySelector(`#${CSS.escape(id)}`));
    section = wanted;
    const known = html !== "";
    const coming = bring();
    try {
      if (!known) await coming;
    } catch {
      return failed();
    }
    if (open()) return;
    paint();
    sheet.showModal();
    turn(section);
    if (known && (await coming) && sheet.open) paint();
  }

  // Fields of its own, which no key and no answer on the page should meet, a dialog has only while it is open.
  function unfold(dialog) {
    const folded = dialog?.querySelector("template");
    if (!folded) return;
    dialog.replaceChildren(folded, folded.content.cloneNode(true));
    dialog.addEventListener("close", () => dialog.replaceChildren(folded), { once: true });
    dialog.showModal();
  }

  // Its examples are items too: they are on the page only while they are looked at.
  sheet.addEventListener("close", () => sheet.replaceChildren());
  sheet.addEventListener("scroll", () => sheet.open && (scrolled[section] = sheet.scrollTop), { passive: true });

  function toggle() {
    if (open()) close();
    else if (root.querySelector("[data-open=sheet]")) show("sheet", "guide");
  }

  // True when a click was for a dialog: on what opens or closes one, on a part of the sheet, or beside it.
  function clicked(target) {
    const button = target.closest("button");
    if (target === open() || button?.matches("[data-close]")) return close(), true;
    const { open: id, section: wanted } = button?.dataset ?? {};
    if (id) show(id, wanted);
    else if (wanted) turn(wanted);
    return Boolean(id ?? wanted);
  }

  return { open, close, show, toggle, clicked };
}
