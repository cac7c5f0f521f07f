/** Pieces of a product that one checkout or order holds. */
export interface HeldLine {
  productId: string;
  quantity: number;
  /** Of those, pieces that were in stock when an unpaid checkout asked for them. */
  inStock?: number;
}

/**
 * Returns how many pieces of a request are in stock: what others do not hold, and what it was promised before. Others'
 * pieces count whether they are in stock or backordered, so that who comes first is served first.
 * @param onHand pieces as the dealer last said
 * @param heldByOthers pieces of unpaid checkouts and unshipped orders
 */
export function inStockFor(quantity: number, onHand: number, heldByOthers: number, promised = 0): number {
  return Math.max(0, Math.min(quantity, Math.max(onHand - heldByOthers, Math.min(promised, onHand))));
}

export function byProduct(lines: readonly HeldLine[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { productId, quantity } of lines) sums.set(productId, (sums.get(productId) ?? 0) + quantity);
  return sums;
}

/** Returns how many pieces of each line are beyond the stock, given those of each product that are in it. */
export function beyondStock(lines: readonly HeldLine[], inStock: ReadonlyMap<string, number>): (number | null)[] {
  const left = new Map(inStock);
  return lines.map(({ productId, quantity }) => {
    const there = left.get(productId);
    if (there === undefined) return null;
    left.set(productId, Math.max(0, there - quantity));
    return Math.max(0, quantity - there);
  });
}
