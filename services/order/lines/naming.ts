import { validationFailed } from "../../../mixins/errors.ts";
import type { NamedItem, OrderLine } from "../collections.ts";

/** How requests name the lines of an order: by product, by part number, or both. */

export function isNamed(line: OrderLine, { productId, partNumber }: NamedItem): boolean {
  return (productId ?? line.productId) === line.productId && (partNumber ?? line.partNumber) === line.partNumber;
}

/**
 * Returns the lines of the product that an item names. Part numbers are unique within a vendor only.
 * @throws VALIDATION_FAILED if it names no product, or several
 */
export function namedLines<L extends OrderLine>(lines: readonly L[], item: NamedItem, path: string): L[] {
  const field = `${path}.${item.productId === undefined && item.partNumber !== undefined ? "partNumber" : "productId"}`;
  if (item.productId === undefined && item.partNumber === undefined) {
    throw validationFailed({ field, message: `The '${field}' field is required without a 'partNumber'.` });
  }
  const named = lines.filter((line) => isNamed(line, item));
  if (named.length === 0)
    throw validationFailed({ field, message: `The '${field}' field names no item of the order.` });
  const products = new Set(named.map(({ productId }) => productId));
  if (products.size > 1) {
    const message = `The '${field}' field names ${products.size} products of the order; 'productId' tells them apart: ${[...products].join(", ")}.`;
    throw validationFailed({ field, message });
  }
  return named;
}
