// Between the browser's selection and offsets. The text on the page is exactly the item's text, cut into nodes, so that
// the length of what stands before a position is its offset, whatever the nodes are.

// The code point of a position of the page; a position outside of the text is its nearer end.
export function offsetOf(place, measure, node, offset) {
  const range = document.createRange();
  range.selectNodeContents(place);
  const side = range.comparePoint(node, offset);
  if (side !== 0) return side < 0 ? 0 : measure.length;
  range.setEnd(node, offset);
  return measure.pointOf(range.toString().length);
}

// The text node and the unit in it where a code point begins; at the border of two nodes the second, unless `ending`.
export function positionOf(place, measure, point, ending = false) {
  const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  let [left, last] = [measure.unitOf(point), null];
  while (walker.nextNode()) {
    last = walker.currentNode;
    if (left < last.length || (ending && left > 0 && left === last.length)) return [last, left];
    left -= last.length;
  }
  return last ? [last, last.length] : [place, 0];
}

// What is selected in the text as { anchor, focus }; null where the selection is elsewhere.
export function selected(place, measure) {
  const { rangeCount, anchorNode, anchorOffset, focusNode, focusOffset } = getSelection();
  if (!rangeCount || !(place.contains(anchorNode) || place.contains(focusNode))) return null;
  return {
    anchor: offsetOf(place, measure, anchorNode, anchorOffset),
    focus: offsetOf(place, measure, focusNode, focusOffset),
  };
}

// The code point nearest to where the mouse or a finger is; null where the browser does not tell.
export function pointedAt(place, measure, { clientX, clientY }) {
  const found = document.caretPositionFromPoint?.(clientX, clientY);
  if (found) return place.contains(found.offsetNode) ? offsetOf(place, measure, found.offsetNode, found.offset) : null;
  const range = document.caretRangeFromPoint?.(clientX, clientY);
  return range && place.contains(range.startContainer) ? offsetOf(place, measure, range.startContainer, range.startOffset) : null;
}

export function select(place, measure, { anchor, focus }) {
  const there = selected(place, measure);
  if (there?.anchor === anchor && there.focus === focus) return;
  const [from, to] = [positionOf(place, measure, anchor, anchor > focus), positionOf(place, measure, focus, focus > anchor)];
  getSelection().setBaseAndExtent(...from, ...to);
}

// Where the caret stands, as a rectangle without width in the coordinates of `frame`.
export function caretBox(place, measure, point, frame) {
  const box = boxOf(place, measure, point);
  const { left, top } = frame.getBoundingClientRect();
  return { left: box.left - left, top: box.top - top, height: box.height };
}

function boxOf(place, measure, point) {
  const range = document.createRange();
  const [node, unit] = positionOf(place, measure, point);
  range.setStart(node, unit);
  // Before a character its left side; behind the last one (or where there is nothing to see) the right side of the last.
  if (unit < (node.length ?? 0)) {
    range.setEnd(node, measure.unitOf(point + 1) - measure.unitOf(point) + unit);
    const [box] = range.getClientRects();
    if (box && node.data[unit] !== "\n") return box;
  }
  if (point === 0) return place.getBoundingClientRect();
  const [before, behind] = positionOf(place, measure, point, true);
  range.setStart(before, Math.max(0, behind - 1));
  range.setEnd(before, behind);
  const box = [...range.getClientRects()].at(-1) ?? place.getBoundingClientRect();
  return { left: box.right, top: box.top, height: box.height };
}
