import type { FitmentRow } from "../../../mixins/fitment-index/reader.ts";
import type { RetrievedPassage as Passage } from "../passages/retrieval.ts";

export type { FitmentRow, Passage };

/** What retrieval found, and nothing that it did not: every answer is made of these. */

/** A part as the catalog's search shows it. */
export interface CatalogHit {
  id: string;
  slug: string;
  partNumber: string;
  title: string;
  manufacturer: { name: string; code: string };
  status: "active" | "discontinued";
  supersededBy: string | null;
}

/** A part that retrieval found: what manuals and the catalog say of it. */
export interface FoundPart {
  pnNorm: string;
  partNumber: string;
  vendor?: string;
  description: string;
  /** Where manuals list it, the place that the question is about first. */
  rows: FitmentRow[];
  catalog?: CatalogHit;
  /** Number that is supplied in its place. */
  replacedBy?: string;
  score: number;
}

/** A part's places on the equipment that is asked about, where it has any there; else all. */
export function rowsOn({ rows }: Pick<FoundPart, "rows">, equipment: readonly string[]): FitmentRow[] {
  const own = rows.filter((row) => equipment.includes(row.equipment));
  return own.length > 0 ? own : rows;
}

/** Price and stock of a part, as far as they are known. Money in currency units. */
export interface Offer {
  /** In the catalog; null where it has no such part. */
  id: string | null;
  slug: string | null;
  status: "active" | "discontinued" | null;
  price: number | null;
  availability: "in_stock" | "low_stock" | "out_of_stock" | "unknown" | null;
  stock: number | null;
  /** The supplier said so now; otherwise these are the catalog's values. */
  live: boolean;
  /** The supplier was asked and gave no word. Where nothing else is known either, nobody could be asked. */
  supplierFailed: boolean;
}

export const UNKNOWN_OFFER: Offer = Object.freeze({
  id: null,
  slug: null,
  status: null,
  price: null,
  availability: null,
  stock: null,
  live: false,
  supplierFailed: false,
});

/** Active and priced in the catalog, whatever its stock: it may be on back-order. Source: design, "AI parts desk". */
export function isForSale({ id, status, price }: Offer): boolean {
  return id !== null && status === "active" && price !== null;
}

/** Nobody could say whether it is for sale. */
export function isUnasked({ id, status, supplierFailed }: Offer): boolean {
  return id === null ? supplierFailed : status === null;
}
