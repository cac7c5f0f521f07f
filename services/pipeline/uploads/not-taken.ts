import { isDeepStrictEqual } from "node:util";
import type { ReadingDocument } from "../collections.ts";
import { isOver } from "../jobs/progress.ts";
import type { ManualResults } from "../results/manual-results.ts";
import type { UploadForm } from "./form.ts";

type Given = Pick<UploadForm, "equipment" | "manufacturer">;

/** The fields that whoever sends a known file gives, and that it is not known with. */
export function notTaken(given: Given, known: Given): (keyof Given)[] {
  const isOther = {
    equipment: given.equipment.length > 0 && !isDeepStrictEqual(new Set(given.equipment), new Set(known.equipment)),
    manufacturer: given.manufacturer !== undefined && given.manufacturer !== known.manufacturer,
  };
  return (["equipment", "manufacturer"] as const).filter((field) => isOther[field]);
}

/**
 * What a file is known with: as its manual says, and while that cannot be had, as whoever sent it first says. Its job
 * is there in either case.
 */
export async function knownWith(
  reading: ReadingDocument,
  results: Pick<ManualResults, "manual">,
  onError: (error: unknown) => void,
): Promise<Given> {
  if (!isOver(reading.status)) return reading;
  try {
    return await results.manual(reading.sha256);
  } catch (error) {
    onError(error);
    return reading;
  }
}
