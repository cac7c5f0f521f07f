import { changeCart } from "../cart-store.ts";
import type { Shop } from "../context.tsx";

/** As long as the dealer takes: what is asked for here is today's price. */
const STOCK_MS = 3_000;

interface WantedLine {
  productId: string;
  name: string;
  quantity: number;
}

/**
 * Puts parts into the cart at today's price, and returns how many lines those were and the names of what is not sold.
 */
export async function addLines(
  shop: Shop,
  wantedLines: readonly WantedLine[],
): Promise<{ added: number; goneNames: string[] }> {
  const { partline } = shop;
  if (!partline) return { added: 0, goneNames: [] };
  const ids = wantedLines.map(({ productId }) => productId);
  const { results } = await partline.search.stock({ ids, waitMs: STOCK_MS });
  const parts = new Map(results.map((part) => [part.id, part]));
  const goneNames: string[] = [];
  const lines = wantedLines.flatMap(({ productId, name, quantity }) => {
    const part = parts.get(productId);
    if (!part || part.price === null || part.status === "discontinued") {
      goneNames.push(name);
      return [];
    }
    const { partNumber, title, price: unitPrice, manufacturer, imageUrl, availability } = part;
    const facts = { manufacturer, imageUrl, ...(availability && { availability }) };
    return [{ productId, partNumber, title: title ?? name, unitPrice, quantity, ...facts }];
  });
  // All or none: pressed again after a failure, nothing is there twice.
  if (lines.length > 0) await changeCart(shop, ({ cart }) => cart.sync({ items: lines, strategy: "merge" }));
  return { added: lines.length, goneNames };
}
