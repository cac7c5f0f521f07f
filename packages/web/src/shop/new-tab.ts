import type { MouseEvent } from "react";

/** Returns whether a press on a link opens its address in another tab or window. */
export function isForNewTab({ metaKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  return metaKey || ctrlKey || shiftKey;
}
