import type { VariantDocument } from "./collections.ts";
import { MAX_PROVEN, MAX_VARIANTS } from "./limits.ts";

/** A use is noted when the last that was is so long ago: reading is to cost no writing. */
const NOTED_EVERY_MS = 3_600_000;

type Uses = Pick<VariantDocument, "madeAt" | "usedAt">;

/** Whether it is to be noted that a variant is used now. */
export function isNoteworthy(variant: Uses, now: Date): boolean {
  return now.getTime() - lastUseOf(variant) >= NOTED_EVERY_MS;
}

/**
 * Of all the variants of an image, those that are too many. Half of the room is for what has proven that it is needed,
 * so that somebody who asks for any number of odd sizes takes it from the others only; the rest makes way by its last
 * use.
 */
export function surplusOf<T extends Uses>(variants: readonly T[]): T[] {
  const latestFirst = [...variants].sort((one, other) => lastUseOf(other) - lastUseOf(one));
  const proven = new Set(latestFirst.filter(({ usedAt }) => usedAt !== undefined).slice(0, MAX_PROVEN));
  return latestFirst.filter((variant) => !proven.has(variant)).slice(MAX_VARIANTS - proven.size);
}

function lastUseOf({ madeAt, usedAt }: Uses): number {
  return (usedAt ?? madeAt).getTime();
}
