export const AVAILABILITIES = ["in_stock", "low_stock", "out_of_stock", "unknown"] as const;
export type Availability = (typeof AVAILABILITIES)[number];

/** Source: specification, "States and transitions". */
export const PART_STATUSES = ["active", "discontinued"] as const;
export type PartStatus = (typeof PART_STATUSES)[number];

/** Largest stock that counts as low. */
const LOW_STOCK = 5;

interface StockFact {
  /** Pieces on hand; null when unknown. */
  quantity: number | null;
  /** What the supplier says beside the quantity. */
  available?: boolean | null;
}

/**
 * The one rule of what a shopper sees; it never blocks a checkout, since a part may be on back-order.
 * - `out_of_stock`: none on hand, or the supplier does not sell it now
 * - `low_stock`: 1 to 5 on hand
 * - `in_stock`: more; or the supplier has it and does not say how many
 * - `unknown`: nobody has said
 */
export function describeAvailability({ quantity, available }: StockFact): Availability {
  if (available === false) return "out_of_stock";
  if (quantity === null) return available === true ? "in_stock" : "unknown";
  if (quantity <= 0) return "out_of_stock";
  return quantity <= LOW_STOCK ? "low_stock" : "in_stock";
}
