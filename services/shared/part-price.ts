import { type Cents, HIGHEST_PRICE, toCents } from "@partline/parts-language";
import type { Infer } from "@partline/api-contracts";
import type { priceEditRule } from "./indexed-part.ts";

export type PriceEdit = Infer<typeof priceEditRule>;

/** Returns what the shop asks for a part that costs this at its vendor; null is no price. */
export function resolvePrice(vendorPrice: Cents | null, edit: PriceEdit | undefined): Cents | null {
  if (edit?.fixed !== undefined) return toCents(edit.fixed);
  if (edit?.marginPercent === undefined || vendorPrice === null) return vendorPrice;
  return Math.min(HIGHEST_PRICE, Math.max(1, Math.round((vendorPrice * (100 + edit.marginPercent)) / 100)));
}
