import { isPartlineError } from "@partline/client";

/** A line whose price in the catalog is another one now. */
export interface ChangedPrice {
  partNumber: string;
  oldPrice: number;
  newPrice: number;
}

/** A line that can no longer be sold. */
export interface GonePart {
  /** The item's place in what was sent. */
  index: number;
  successor?: { productId: string; partNumber: string; title: string; price: number | null } | undefined;
}

export interface Refusals {
  priceChanges: ChangedPrice[];
  gone: GonePart[];
}

/** What a checkout refused of a cart's lines; undefined if it refused something else. */
export function readRefusals(error: unknown): Refusals | undefined {
  if (!isPartlineError(error, "VALIDATION_FAILED") || !Array.isArray(error.details)) return undefined;
  const details = error.details as (Partial<ChangedPrice> & { field?: string } & Pick<GonePart, "successor">)[];
  const priceChanges = details.flatMap(({ partNumber, oldPrice, newPrice }) =>
    partNumber === undefined || oldPrice === undefined || newPrice === undefined
      ? []
      : [{ partNumber, oldPrice, newPrice }],
  );
  const gone = details.flatMap(({ field, successor }) => {
    const index = /^items\[(\d+)\]$/.exec(field ?? "")?.[1];
    return index === undefined ? [] : [{ index: Number(index), successor }];
  });
  return priceChanges.length + gone.length > 0 ? { priceChanges, gone } : undefined;
}
