// Marks hits in a text without touching its nodes; what was marked before, in whatever text, is marked no more. A browser
// that cannot do so selects the hit in hand. A hit is what makes a range: [node, offset, node, offset].

export const able = "highlights" in CSS;

export function mark(found, here) {
  if (!able) return;
  put("reader-found", found, 0);
  put("reader-here", here ? [here] : [], 1);
}

export const select = ([node, from, last, until]) => getSelection().setBaseAndExtent(node, from, last, until);

function put(name, hits, priority) {
  if (!hits.length) return CSS.highlights.delete(name);
  const made = new Highlight(...hits.map(rangeOf));
  made.priority = priority;
  CSS.highlights.set(name, made);
}

const rangeOf = ([node, from, last, until]) =>
  new StaticRange({ startContainer: node, startOffset: from, endContainer: last, endOffset: until });
