import type { VariantDocument } from "./collections.ts";
import { MAX_PROVEN, MAX_VARIANTS } from "./limits.ts";

/** Uses are recorded once in this time, so that reads cost no writes. */
const NOTED_EVERY_MS = 3_600_000;

type Uses = Pick<VariantDocument, "madeAt" | "usedAt">;

/** Whether this use must be recorded. */
export function isNoteworthy(variant: Uses, now: Date): boolean {
  return now.getTime() - lastUseOf(variant) >= NOTED_EVERY_MS;
}

/**
 * Returns the variants that are too many. Half of the room is for variants used again, so that one client's odd sizes
 * cannot displace them; the rest goes by last use.
 */
export function surplusOf<T extends Uses>(variants: readonly T[]): T[] {
  const latestFirst = [...variants].sort((one, other) => lastUseOf(other) - lastUseOf(one));
  const proven = new Set(latestFirst.filter(({ usedAt }) => usedAt !== undefined).slice(0, MAX_PROVEN));
  return latestFirst.filter((variant) => !proven.has(variant)).slice(MAX_VARIANTS - proven.size);
}

function lastUseOf({ madeAt, usedAt }: Uses): number {
  return (usedAt ?? madeAt).getTime();
}
