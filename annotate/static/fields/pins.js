// Passages that were found and pinned: they stay in sight above the text, and lead back to their place.

const MOST = 5;

// `search.hit()` is the hit in hand as { place, words }, null without one; `changed` is told of all that is pinned.
export function pins(element, search, shape, before, changed) {
  const [list, button] = [element.querySelector("[data-pins]"), element.querySelector("[data-pin]")];
  let all = before.slice(0, MOST);

  function draw() {
    list.hidden = !all.length;
    list.replaceChildren(
      ...all.map(({ words }, index) => {
        const line = document.createElement("li");
        const [there, gone] = [document.createElement("button"), document.createElement("button")];
        Object.assign(there, { type: "button", className: "pinned-words" });
        there.append(document.createElement("span"));
        there.firstChild.textContent = words;
        Object.assign(gone, { type: "button", textContent: "✕", ariaLabel: `${list.dataset.unpin}: ${words.slice(0, 40)}` });
        there.addEventListener("click", () => shape.reveal(all[index].place, 0.3));
        gone.addEventListener("click", () => put(all.filter((one) => one !== all[index])));
        line.append(there, gone);
        return line;
      }),
    );
  }

  function put(now) {
    all = now;
    draw();
    changed(all);
  }

  button.addEventListener("click", () => {
    const hit = search.hit();
    if (hit && !all.some((one) => one.place === hit.place)) put([...all, hit].slice(-MOST));
  });
  draw();
}
