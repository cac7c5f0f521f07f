import { invalidField, PartlineError } from "../../mixins/errors.ts";
import { type FitmentReader, type ModelRows, MOST_OF_A_MODEL, type PartKey } from "@partline/parts-search";
import { withTimeout } from "@partline/toolkit";
import type { ManualLinks } from "./manual-links.ts";

/** Longest wait for the store of fitment, milliseconds. */
const DEADLINE = 2_000;
/** Maximum places of one part in an answer. */
const MOST_FITMENT = 500;

/** Reads what manuals say of parts: the ai service writes it, decision 0027. */
export function createManualFitment(
  reader: Pick<FitmentReader, "readByModel" | "readByPart">,
  links: Pick<ManualLinks, "pdf">,
) {
  return {
    /** @throws SERVICE_UNAVAILABLE, VALIDATION_FAILED: without all of its parts a search would mislead */
    findParts: async (model: string): Promise<PartKey[]> => {
      let modelRows: ModelRows;
      try {
        modelRows = await withTimeout(reader.readByModel(model), DEADLINE, throwLate);
      } catch (cause) {
        const message = "The parts of an equipment cannot be read now";
        throw new PartlineError("SERVICE_UNAVAILABLE", message, undefined, { cause });
      }
      const { rows, total } = modelRows;
      if (total > MOST_OF_A_MODEL) {
        const most = MOST_OF_A_MODEL.toLocaleString("en-US");
        throw invalidField(
          "equipment",
          `means more than the ${most} lines of parts lists that a search reads: name one model`,
        );
      }
      return [...new Map(rows.map((row) => [`${row.pnNorm} ${row.vendor ?? ""}`, toKey(row)])).values()];
    },
    /** Returns at most 500 places; rows of manuals that name another vendor are left out. */
    findFitment: async ({ pnNorm, manufacturer: { code } }: { pnNorm: string; manufacturer: { code: string } }) => {
      const { rows } = await withTimeout(reader.readByPart(pnNorm), DEADLINE, throwLate);
      return rows
        .filter(({ isSupersession, vendor }) => !isSupersession && (vendor === undefined || vendor === code))
        .slice(0, MOST_FITMENT)
        .map(({ equipment, schema, quantity, sha256, page }) => ({
          equipment,
          schema,
          quantity: quantity ?? null,
          pdf_link: links.pdf(sha256, page),
        }));
    },
  };
}

function toKey({ pnNorm, vendor }: PartKey): PartKey {
  return { pnNorm, vendor };
}

function throwLate(): never {
  throw new PartlineError("SERVICE_UNAVAILABLE", "The store of fitment did not answer in time");
}
