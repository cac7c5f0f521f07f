import { validationFailed } from "../../mixins/errors.ts";
import { isSafeText } from "../../mixins/safe-text.ts";

/** Facts from outside; without them the manual's pages decide. */
export interface GivenFacts {
  equipment: string[];
  manufacturer?: string;
}

/** Null restores the manual's own facts; a missing field stays. */
export interface Correction {
  equipment?: string[] | null;
  manufacturer?: string | null;
}

/** Trims, and names each model once. @throws VALIDATION_FAILED */
export function corrected(known: GivenFacts, { equipment, manufacturer }: Correction): GivenFacts {
  if (equipment === undefined && manufacturer === undefined) {
    throw validationFailed({ field: "body", message: "The body must have the field 'equipment' or 'manufacturer'." });
  }
  const models =
    equipment === undefined ? known.equipment : (equipment ?? []).map((model) => plain("equipment", model));
  const maker =
    manufacturer === undefined
      ? known.manufacturer
      : manufacturer === null
        ? undefined
        : plain("manufacturer", manufacturer);
  return { equipment: [...new Set(models)], ...(maker === undefined ? {} : { manufacturer: maker }) };
}

function plain(field: string, value: string): string {
  const text = value.trim();
  if (text === "" || !isSafeText(text))
    throw validationFailed({ field, message: `The '${field}' field must not be blank or have control characters.` });
  return text;
}
