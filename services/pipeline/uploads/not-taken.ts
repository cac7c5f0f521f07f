import { isDeepStrictEqual } from "node:util";
import type { GivenFacts, ReadingDocument } from "../collections.ts";
import { isOver } from "../jobs/progress.ts";
import type { ManualResults } from "../results/manual-results.ts";

/** Lists the fields of an upload that differ from what its file is known with. */
export function listIgnoredFields(givenFacts: GivenFacts, storedFacts: GivenFacts): (keyof GivenFacts)[] {
  const isOther = {
    equipment:
      givenFacts.equipment.length > 0 &&
      !isDeepStrictEqual(new Set(givenFacts.equipment), new Set(storedFacts.equipment)),
    manufacturer: givenFacts.manufacturer !== undefined && givenFacts.manufacturer !== storedFacts.manufacturer,
  };
  return (["equipment", "manufacturer"] as const).filter((field) => isOther[field]);
}

/** Finds what a file is known with: as its manual says, else as its first sender says. */
export async function findStoredFacts(
  reading: ReadingDocument,
  results: Pick<ManualResults, "getManual">,
  onError: (error: unknown) => void,
): Promise<GivenFacts> {
  if (!isOver(reading.status)) return reading;
  try {
    return await results.getManual(reading.sha256);
  } catch (error) {
    onError(error);
    return reading;
  }
}
