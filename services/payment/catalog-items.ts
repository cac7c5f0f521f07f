import type { CallOrigin } from "../../broker/contract/call.ts";
import { call } from "../contracts.ts";
import type { CatalogItem, ShownItem } from "./checkout-rules.ts";

/** Returns what the catalog says of items, in their order. */
export async function inCatalog(
  from: CallOrigin,
  items: readonly Pick<ShownItem, "productId" | "partNumber" | "manufacturer">[],
  options: { confirmed?: boolean } = {},
): Promise<CatalogItem[]> {
  const wanted = items.map(({ productId, partNumber, manufacturer }) => ({
    productId,
    partNumber,
    ...(manufacturer ? { manufacturer } : {}),
  }));
  return (await call(from, "catalog.price", { items: wanted, ...options })).items;
}
