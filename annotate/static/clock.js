// The time somebody really works on an item: the tab is in sight and something was done within the last minute.

export const IDLE_AFTER = 60_000;
export const SIGNS = ["pointermove", "pointerdown", "keydown", "wheel", "scroll", "touchmove", "focusin"];

export function activeClock() {
  let total = 0;
  let last = performance.now();
  let touched = last;
  let seen = document.visibilityState === "visible";

  function settle() {
    const now = performance.now();
    if (seen) total += Math.max(0, Math.min(now, touched + IDLE_AFTER) - last);
    last = now;
    return now;
  }

  const touch = () => (touched = settle());
  for (const sign of SIGNS) addEventListener(sign, touch, { passive: true, capture: true });
  document.addEventListener("visibilitychange", () => {
    touch();
    seen = document.visibilityState === "visible";
  });

  return {
    seconds: () => (settle(), total / 1000),
    restart: () => (touch(), (total = 0)),
  };
}
