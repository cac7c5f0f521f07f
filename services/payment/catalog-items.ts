import type { CallContext } from "../../broker/contract/context.ts";
import { call } from "../contracts.ts";
import type { CatalogItem, ShownItem } from "./checkout-rules.ts";

/** Returns what the catalog says of items, in their order. */
export async function inCatalog(
  ctx: CallContext<unknown>,
  items: readonly Pick<ShownItem, "productId" | "partNumber" | "manufacturer">[],
): Promise<CatalogItem[]> {
  const wanted = items.map(({ productId, partNumber, manufacturer }) => ({
    productId,
    partNumber,
    ...(manufacturer ? { manufacturer } : {}),
  }));
  return (await call(ctx, "catalog.price", { items: wanted })).items;
}
