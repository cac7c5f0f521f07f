import type { FoundPart } from "../findings.ts";
import { supersessionsIn } from "./supersession.ts";

/** A footnote that names a successor applies to the rows with its mark (`*`, `†`, `(1)`). */
export function applyFootnotes(
  parts: readonly FoundPart[],
  marked: ReadonlyMap<string, readonly string[]>,
  lines: readonly string[],
): FoundPart[] {
  const replaced = new Map<string, string>();
  for (const line of lines) {
    const mark = /^\s*(\*+|[\u2020\u2021\u00a7]+|\((?:\d|[a-z])\))/.exec(line)?.[1];
    const numbers = mark === undefined ? undefined : marked.get(mark);
    const by = supersessionsIn(line).find(({ old, next }) => next && !old)?.next?.number;
    if (by) for (const number of numbers ?? []) replaced.set(number, by);
  }
  return parts.map((part) => {
    const by = replaced.get(part.pnNorm);
    return by && part.replacedBy === undefined ? { ...part, replacedBy: by } : part;
  });
}
