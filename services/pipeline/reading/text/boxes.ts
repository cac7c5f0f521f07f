import type { Box } from "../page.ts";

/** Infinite for none. */
export function unionOf(boxes: Iterable<Box>): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  // One by one: a page may have more words than a call takes arguments.
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Whether the middle of `inner` is in `outer`, give or take `margin` points. */
export function holds(outer: Box, inner: Box, margin = 0): boolean {
  const x = inner.x + inner.width / 2;
  const y = inner.y + inner.height / 2;
  return (
    x >= outer.x - margin &&
    x <= outer.x + outer.width + margin &&
    y >= outer.y - margin &&
    y <= outer.y + outer.height + margin
  );
}

export function areaOf(box: Box): number {
  return Math.max(0, box.width) * Math.max(0, box.height);
}
