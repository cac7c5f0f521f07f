import { isDeepStrictEqual } from "node:util";
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
