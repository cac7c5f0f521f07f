import type { CallOrigin } from "../../broker/contract/call.ts";
import type { Cents } from "../../mixins/money.ts";
import { call } from "../contracts.ts";
import type { CatalogItem, ShownItem } from "./checkout-rules.ts";

/** Returns what the catalog says of items, in their order; if confirmed, with the dealer's word on doubtful prices. */
export async function inCatalog(
  from: CallOrigin,
  items: readonly (Pick<ShownItem, "productId" | "partNumber" | "manufacturer"> & { unitPrice?: Cents })[],
  options: { confirmed?: boolean } = {},
): Promise<CatalogItem[]> {
  const wanted = items.map(({ productId, partNumber, manufacturer, unitPrice }) => ({
    productId,
    partNumber,
    manufacturer: manufacturer || undefined,
    shown: options.confirmed ? unitPrice : undefined,
  }));
  return (await call(from, "catalog.price", { items: wanted, ...options })).items;
}
