// The keyboard on a phone's screen: most browsers lay it over the page, so the bar at the foot is told how high it is.

const LEAST = 80; // an address bar that comes and goes is no keyboard

export function makeWay(root, view = window.visualViewport) {
  if (!view) return;
  const measure = () => {
    const hidden = Math.round(innerHeight - view.height * view.scale - view.offsetTop);
    root.style.setProperty("--keyboard", `${hidden > LEAST ? hidden : 0}px`);
  };
  view.addEventListener("resize", measure);
  view.addEventListener("scroll", measure);
  measure();
}
