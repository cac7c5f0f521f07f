import { PartlineError } from "../../mixins/errors.ts";
import { formatMoney, toDecimal, type Cents } from "../../mixins/money.ts";
import type { Line } from "./purchase.ts";

/** An item as the shopper was shown it. */
export interface ShownItem {
  productId: string;
  partNumber: string;
  title: string;
  quantity: number;
  unitPrice: Cents;
  manufacturer?: string;
}

export interface CatalogItem {
  found: boolean;
  productId?: string;
  partNumber?: string;
  title?: string;
  status?: string;
  price: Cents | null;
  imageUrl?: string;
}

/** A line to be paid, with the catalog's picture of it. */
export type PricedLine = Line & { imageUrl?: string };

/** Items that a refusal names in its message; its details list all. */
const NAMED_IN_MESSAGE = 10;

/**
 * Returns the lines to be paid, each at its catalog price, which must be the one that the shopper was shown, to the
 * cent. `catalog` is in the order of the items. Source: spec, section 7; design, Checkout.
 * @throws VALIDATION_FAILED naming every item that is unknown, discontinued or without a price; else every item whose
 * price changed, with `details` of { partNumber, oldPrice, newPrice } in currency units
 */
export function checkPrices(items: readonly ShownItem[], catalog: readonly CatalogItem[]): PricedLine[] {
  const unavailable: { field: string; message: string }[] = [];
  const changed: { message: string; details: { partNumber: string; oldPrice: number; newPrice: number } }[] = [];
  const lines = items.flatMap((item, index): PricedLine[] => {
    const known = catalog[index];
    const why = whyUnavailable(known);
    if (why !== undefined || known?.price == null) {
      unavailable.push({ field: `items[${index}]`, message: `"${item.title}" (${item.partNumber}) ${why}` });
      return [];
    }
    if (known.price !== item.unitPrice) {
      changed.push({
        message: `Price changed for "${item.title}" (${item.partNumber}): was ${formatMoney(item.unitPrice)}, now ${formatMoney(known.price)}`,
        details: { partNumber: item.partNumber, oldPrice: toDecimal(item.unitPrice), newPrice: toDecimal(known.price) },
      });
    }
    return [
      {
        productId: known.productId ?? item.productId,
        partNumber: known.partNumber ?? item.partNumber,
        name: known.title ?? item.title,
        quantity: item.quantity,
        price: known.price,
        ...(known.imageUrl === undefined ? {} : { imageUrl: known.imageUrl }),
      },
    ];
  });
  const details = [...unavailable, ...changed.map((change) => change.details)];
  const refusals = unavailable.length > 0 ? unavailable : changed;
  if (refusals.length > 0) throw new PartlineError("VALIDATION_FAILED", messageOf(refusals), details);
  return lines;
}

function whyUnavailable(known: CatalogItem | undefined): string | undefined {
  if (!known?.found) return "is not in the catalog";
  if (known.status === "discontinued") return "is discontinued";
  return known.price === null ? "has no price" : undefined;
}

function messageOf(refusals: readonly { message: string }[]): string {
  const named = refusals
    .slice(0, NAMED_IN_MESSAGE)
    .map(({ message }) => message)
    .join("; ");
  return refusals.length > NAMED_IN_MESSAGE ? `${named}; and ${refusals.length - NAMED_IN_MESSAGE} more` : named;
}
