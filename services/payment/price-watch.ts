import { KeyedQueue } from "@partline/toolkit";
import type { Cents } from "@partline/parts-language";
import { findCatalogItems } from "./catalog.ts";
import { explainUnavailable } from "./checkout-rules.ts";
import type { Line } from "./purchase.ts";
import type { PaymentParts } from "./records.ts";

/** Products that the catalog is asked about at once. */
const AT_ONCE = 1_000;

/** Closes open checkouts whose prices are the catalog's no more, so that nobody pays an old one. */
export function createPriceWatch({ broker, checkouts, closing }: PaymentParts) {
  const queue = new KeyedQueue();
  const next = new Map<string, Promise<void>>();

  /** @param vendor code; looks at the parts of all vendors if it is empty */
  async function look(vendor: string): Promise<void> {
    const prefix = vendor === "" ? "" : `${vendor.toLowerCase()}-`;
    const open = (await checkouts.listOpen()).map((checkout) => ({
      checkout,
      lines: checkout.purchase.items.filter(({ productId }) => productId.startsWith(prefix)),
    }));
    const now = await loadPrices(open.flatMap(({ lines }) => lines));
    const failures: unknown[] = [];
    for (const { checkout, lines } of open) {
      if (lines.every(({ productId, price }) => now.get(productId) === price)) continue;
      await closing.close(checkout).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  async function loadPrices(lines: readonly Line[]): Promise<Map<string, Cents | null>> {
    const products = [...new Map(lines.map((line) => [line.productId, line])).values()];
    const prices = new Map<string, Cents | null>();
    for (let start = 0; start < products.length; start += AT_ONCE) {
      const batch = products.slice(start, start + AT_ONCE);
      const items = await findCatalogItems(broker, batch);
      for (const [index, { productId }] of batch.entries()) {
        const item = items[index];
        prices.set(productId, item && explainUnavailable(item) === undefined ? item.price : null);
      }
    }
    return prices;
  }

  return {
    /**
     * Looks at the open checkouts with parts of a vendor, or at all. Calls that come while one looks share the next
     * look.
     * @throws PROVIDER_ERROR if one could not be closed; the others are
     */
    recheck(vendor = ""): Promise<void> {
      const waiting = next.get(vendor);
      if (waiting) return waiting;
      const turn = queue.run(vendor, async () => {
        await Promise.resolve();
        next.delete(vendor);
        await look(vendor);
      });
      next.set(vendor, turn);
      return turn;
    },
  };
}
