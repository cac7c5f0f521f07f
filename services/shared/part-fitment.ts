import type { Infer } from "@partline/api-contracts";
import { invalidField, PartlineError } from "../../mixins/errors.ts";
import { type FitmentReader, listFits, type ModelRows, MOST_OF_A_MODEL, type PartKey } from "@partline/parts-search";
import { withTimeout } from "@partline/toolkit";
import type { fitmentRule } from "./fitment.ts";
import type { ManualLinks } from "./manual-links.ts";

type Fitment = Infer<typeof fitmentRule>;

/** What the fitment of a part is read by. */
interface FittedPart {
  pnNorm: string;
  manufacturer: { code: string };
  description?: string;
  fits?: readonly string[];
}

/** Longest wait for the store of fitment, milliseconds. */
const DEADLINE = 2_000;
/** Maximum places of one part in an answer. */
const MOST_FITMENT = 500;

/** Reads what parts fit: by manuals, which the ai service reads (decision 0027), and by the catalog. */
export function createPartFitment(
  reader: Pick<FitmentReader, "readByModel" | "readByPart">,
  links: Pick<ManualLinks, "pdf">,
  onError: (what: string, error: unknown) => void,
) {
  return {
    /**
     * Finds the parts that manuals list for an equipment. @throws SERVICE_UNAVAILABLE, VALIDATION_FAILED: without all
     * of its parts a search would mislead
     */
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
    /**
     * Finds what a part fits: at most 500 places of manuals, without rows that name another vendor, then the machines
     * that the catalog names. `isWhole` is false if the manuals could not be read.
     */
    findFitment: async (part: FittedPart): Promise<{ fitment: Fitment[]; isWhole: boolean }> => {
      const { pnNorm, manufacturer } = part;
      try {
        const { rows } = await withTimeout(reader.readByPart(pnNorm), DEADLINE, throwLate);
        const places = rows
          .filter(
            ({ isSupersession, vendor }) => !isSupersession && (vendor === undefined || vendor === manufacturer.code),
          )
          .slice(0, MOST_FITMENT)
          .map(({ equipment, schema, quantity, sha256, page }): Fitment => ({
            equipment,
            schema,
            quantity: quantity ?? null,
            pdf_link: links.pdf(sha256, page),
            source: "manual",
          }));
        return { fitment: [...places, ...toCatalogFitment(part)], isWhole: true };
      } catch (error) {
        onError("What manuals say that a part fits could not be read", error);
        return { fitment: toCatalogFitment(part), isWhole: false };
      }
    },
  };
}

/** Lists what a part fits by the catalog alone. */
export function toCatalogFitment(part: Pick<FittedPart, "description" | "fits">): Fitment[] {
  const unknown = { schema: "", quantity: null, pdf_link: null };
  return listFits(part).map(({ machine, source }) => ({ equipment: machine, ...unknown, source }));
}

function toKey({ pnNorm, vendor }: PartKey): PartKey {
  return { pnNorm, vendor };
}

function throwLate(): never {
  throw new PartlineError("SERVICE_UNAVAILABLE", "The store of fitment did not answer in time");
}
