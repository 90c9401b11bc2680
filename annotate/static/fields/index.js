// Texts that can do more than be read. A module for each kind comes when a screen holds one; its default export takes
// the element and brings it to life.

const KINDS = {
  ".reader": () => import("./reader.js"),
  ".numbered": () => import("./sentences.js"),
};

// Brings every rich text in `place` to life; resolves when all of them are.
export async function bring(place) {
  const found = Object.entries(KINDS).map(([shape, module]) => [place.querySelectorAll(shape), module]);
  await Promise.all(
    found.map(async ([elements, module]) => {
      if (!elements.length) return;
      const { default: start } = await module();
      elements.forEach((element) => start(element));
    }),
  );
}
