import { isDeepStrictEqual } from "node:util";
import type { GivenFacts, ReadingDocument } from "../collections.ts";
import { isOver } from "../jobs/progress.ts";
import type { ManualResults } from "../results/manual-results.ts";

/** The fields given with a known file that it is not known with. */
export function notTaken(given: GivenFacts, known: GivenFacts): (keyof GivenFacts)[] {
  const isOther = {
    equipment: given.equipment.length > 0 && !isDeepStrictEqual(new Set(given.equipment), new Set(known.equipment)),
    manufacturer: given.manufacturer !== undefined && given.manufacturer !== known.manufacturer,
  };
  return (["equipment", "manufacturer"] as const).filter((field) => isOther[field]);
}

/** What a file is known with: as its manual says, else as its first sender says. */
export async function knownWith(
  reading: ReadingDocument,
  results: Pick<ManualResults, "manual">,
  onError: (error: unknown) => void,
): Promise<GivenFacts> {
  if (!isOver(reading.status)) return reading;
  try {
    return await results.manual(reading.sha256);
  } catch (error) {
    onError(error);
    return reading;
  }
}
