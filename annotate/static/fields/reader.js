// The reader of a long text: says and remembers where one is, searches, jumps from the map at its side.

import { finder } from "./finder.js";
import { geometry } from "./geometry.js";
import { keep, kept } from "./place.js";
import { pins } from "./pins.js";
import { reading } from "./read.js";

export default function reader(element) {
  const [scroller, text, map] = [".reader-window", ".text", ".map"].map((name) => element.querySelector(name));
  const [thumb, share] = [map.querySelector(".thumb"), element.querySelector(".share")];
  const token = element.closest("[data-token]")?.dataset.token ?? "";
  const name = element.dataset.field;
  const shape = geometry(scroller, text);
  const percent = new Intl.NumberFormat(element.closest("[lang]")?.lang, { style: "percent" });
  if (!shape.total) return;
  const search = finder(element, shape);
  const before = kept(token, name);
  let seen = { from: 0, until: 0 };
  let waiting = false;

  function look() {
    waiting = false;
    if (!element.isConnected) return;
    seen = shape.inSight();
    const whole = scroller.scrollHeight <= scroller.clientHeight + 1;
    const [shown, rest] = [seen.until - seen.from, shape.total - (seen.until - seen.from)];
    element.toggleAttribute("data-whole", whole);
    map.title = percent.format(seen.until / shape.total); // where one is; how much was read stands above
    thumb.style.height = `${(100 * shown) / shape.total}%`;
    thumb.style.setProperty("--at", String(rest ? seen.from / rest : 0));
    if (token) keep(token, name, { place: shape.topmost() });
    search.paint(seen);
  }

  function soon() {
    if (!waiting) requestAnimationFrame(look);
    waiting = true;
  }

  function jump(event) {
    const { top, height } = map.getBoundingClientRect();
    const row = Math.min(1, Math.max(0, (event.clientY - top) / height));
    const [place, near] = [row * shape.total, (6 / height) * shape.total];
    if (!search.jump(place, near)) shape.reveal(Math.floor(place), 0.5);
    soon();
  }

  map.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    map.setPointerCapture(event.pointerId);
    jump(event);
  });
  map.addEventListener("pointermove", (event) => map.hasPointerCapture(event.pointerId) && jump(event));
  scroller.addEventListener("scroll", soon, { passive: true });

  // Another width breaks every line anew: the text stays where it was being read.
  let width = 0;
  new ResizeObserver(() => {
    if (text.clientWidth !== width) {
      const place = width ? seen.from : before.place;
      width = text.clientWidth;
      shape.guess();
      if (place) shape.reveal(place, 0);
    }
    soon();
  }).observe(text);

  const read = reading(shape.total, () => seen, before.read, () => {
    tell();
    if (token) keep(token, name, { read: read.parts() });
  });
  const tell = () => (share.textContent = percent.format(read.share()));
  tell();
  const ticking = read.start();
  new MutationObserver((_, watch) => element.isConnected || (clearInterval(ticking), watch.disconnect())).observe(document.body, { childList: true, subtree: true });
  pins(element, search, shape, before.pins ?? [], (all) => token && keep(token, name, { pins: all }));
  element.dataset.ready = "";
}
