export const AVAILABILITIES = ["in_stock", "low_stock", "out_of_stock", "unknown"] as const;
export type Availability = (typeof AVAILABILITIES)[number];

/** Most pieces on hand that count as few. */
export const LOW_STOCK = 5;

export interface StockFact {
  /** Pieces on hand; null when nobody has told. */
  quantity: number | null;
  /** What the supplier says beside the quantity, where it says something. */
  available?: boolean | null;
}

/**
 * The one rule of what a shopper is told:
 * - `out_of_stock`: the supplier says that it does not sell it now (whatever is on hand), or none is on hand
 * - `low_stock`: 1 to 5 on hand
 * - `in_stock`: more; or the supplier says that it has it, and not how many
 * - `unknown`: nobody has told
 * It shows, and never blocks a checkout: a part may be on back-order.
 */
export function availabilityOf({ quantity, available }: StockFact): Availability {
  if (available === false) return "out_of_stock";
  if (quantity === null) return available === true ? "in_stock" : "unknown";
  if (quantity <= 0) return "out_of_stock";
  return quantity <= LOW_STOCK ? "low_stock" : "in_stock";
}
